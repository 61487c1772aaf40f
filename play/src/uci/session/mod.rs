//! A session: its state, and its answers to the GUI and to the engine.

mod by_verdicts;
mod from_engine;

use std::collections::HashSet;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Instant;

use sakmak::board::{Move, Position};
use sakmak::game::GameState;
use sakmak::rules::Category;

use super::analysis::{Effort, variation};
use super::command::{Command, Go, PositionText};
use super::engine::{Engine, Event, STOP_TIMEOUT, read_lines};
use super::error::UciError;
use super::options::{Change, Options};
use super::outbox::Outbox;
use super::tables::{Known, Tables, Unknown};
use super::{display, fallback};

/// The settings of a session.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The directories of tables. They apply until the option `SakmakPath` is set.
    pub directories: Vec<PathBuf>,
    /// The command line of the engine to filter, with a shell's quoting.
    pub engine: Option<String>,
}

/// The answer that the GUI is waiting for.
#[derive(Debug, PartialEq, Eq)]
enum Search {
    None,
    /// The GUI is waiting for this `bestmove`, which must not be sent before `stop` or `ponderhit`.
    Held(String),
    /// The GUI is waiting for the engine's `bestmove`, which must be one of these moves. The list
    /// is empty if sakmak does not know the position.
    Engine(Vec<Move>),
}

/// The engine's answers for which the GUI is still waiting.
#[derive(Default)]
struct Waiting {
    uciok: bool,
    readyok: u32,
}

pub(super) struct Session<W> {
    out: Outbox<W>,
    options: Options,
    tables: Tables,
    /// Faults of the tables that have not been reported to the GUI yet.
    troubles: Vec<String>,
    /// The state of the game, or the reason why there is no game.
    state: Result<GameState, String>,
    /// The positions of the game before the current one.
    earlier: HashSet<Position>,
    search: Search,
    /// The category of the position that the engine is searching, if the tables contain the
    /// position.
    searched_category: Option<Category>,
    engine: Option<Engine>,
    /// The time by which the engine must answer `stop`.
    stop_by: Option<Instant>,
    waiting: Waiting,
    /// The reason why the engine has ended, if it has.
    ended: Option<UciError>,
    sender: Sender<Event>,
    events: Receiver<Event>,
}

impl<W: Write> Session<W> {
    pub fn new(settings: &Settings, output: W) -> Result<Session<W>, UciError> {
        let (sender, events) = mpsc::channel();
        let mut out = Outbox::new(output);
        let engine = settings.engine.as_deref();
        let engine = match engine.map(|command| Engine::start(command, sender.clone())) {
            Some(Err(error)) => {
                // Some programs read only this output and not standard error.
                out.say(&error.to_string())?;
                return Err(error);
            }
            Some(Ok(engine)) => Some(engine),
            None => None,
        };
        let options = Options::new(settings.directories.clone());
        let (tables, troubles) = Tables::open(&options);
        Ok(Session {
            out,
            state: start(&options),
            earlier: HashSet::new(),
            options,
            tables,
            troubles,
            search: Search::None,
            searched_category: None,
            engine,
            stop_by: None,
            waiting: Waiting::default(),
            ended: None,
            sender,
            events,
        })
    }

    /// Runs the session until `quit` or the end of the input.
    pub fn run(mut self, input: impl BufRead + Send + 'static) -> Result<(), UciError> {
        let sender = self.sender.clone();
        let reading = move || {
            read_lines(input, |line| sender.send(Event::User(line)).is_ok());
            // If the channel is closed, the session is over.
            let _ = sender.send(Event::UserEnd);
        };
        if let Err(error) = thread::Builder::new().spawn(reading) {
            let error = UciError::Threads(error);
            self.out.say(&error.to_string())?;
            if let Some(engine) = self.engine.take() {
                engine.quit();
            }
            return Err(error);
        }
        while let Some(event) = self.next_event()? {
            match event {
                Event::User(line) => {
                    if !self.user(line.trim())? {
                        break;
                    }
                }
                Event::UserEnd => break,
                Event::Engine(line) => self.engine_line(line.trim())?,
                Event::EngineEnd => self.engine_end()?,
            }
        }
        if let Some(engine) = self.engine.take() {
            engine.quit();
        }
        match self.ended {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Waits for the next event. None at the end of the input. If the engine does not answer `stop`
    /// in time, the session stops waiting for it.
    fn next_event(&mut self) -> io::Result<Option<Event>> {
        while let Some(until) = self.stop_by {
            match self.events.recv_timeout(until - Instant::now()) {
                Ok(event) => return Ok(Some(event)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => self.engine_silent()?,
            }
        }
        Ok(self.events.recv().ok())
    }

    /// Handles a command of the GUI. Returns false if the command ends the session.
    fn user(&mut self, line: &str) -> io::Result<bool> {
        match Command::parse(line) {
            Command::Quit => return Ok(false),
            Command::Uci => self.uci()?,
            Command::IsReady => self.ready()?,
            Command::SetOption { name, value } => self.set_option(line, &name, &value)?,
            Command::NewGame => {
                self.pass_on(line);
                self.out.forget();
                self.state = start(&self.options);
            }
            Command::Position(text) => {
                self.pass_on(line);
                self.position(&text)?;
            }
            Command::Go(go) => self.go(line, &go)?,
            Command::Stop | Command::PonderHit => {
                match std::mem::replace(&mut self.search, Search::None) {
                    Search::None => {}
                    Search::Held(bestmove) => self.out.line(&bestmove)?,
                    Search::Engine(moves) => {
                        self.search = Search::Engine(moves);
                        self.pass_on(line);
                        if line == "stop" && self.stop_by.is_none() {
                            self.stop_by = Some(Instant::now() + STOP_TIMEOUT);
                        }
                    }
                }
            }
            Command::Display => self.display()?,
            Command::Other => self.pass_on(line),
        }
        Ok(true)
    }

    fn pass_on(&mut self, line: &str) {
        if let Some(engine) = &mut self.engine {
            engine.send(line);
        }
    }

    fn uci(&mut self) -> io::Result<()> {
        if self.engine.is_some() {
            self.waiting.uciok = true;
            self.pass_on("uci");
            return Ok(());
        }
        self.out.line(&format!("id name {}", name()))?;
        self.out.line("id author the sakmak authors")?;
        for line in Options::common_declarations() {
            self.out.line(&line)?;
        }
        self.uciok()
    }

    /// Sends the last lines of the answer to `uci`.
    fn uciok(&mut self) -> io::Result<()> {
        self.waiting.uciok = false;
        for line in self.options.own_declarations() {
            self.out.line(&line)?;
        }
        self.out.line("uciok")
    }

    fn ready(&mut self) -> io::Result<()> {
        match &self.engine {
            None => self.out.line("readyok"),
            Some(engine) if engine.is_silent() => self.out.line("readyok"),
            Some(_) => {
                self.waiting.readyok += 1;
                self.pass_on("isready");
                Ok(())
            }
        }
    }

    fn set_option(&mut self, line: &str, name: &str, value: &str) -> io::Result<()> {
        if !Options::is_own(name) {
            self.pass_on(line);
        }
        let alone = self.engine.is_none();
        let before = self.options.rules;
        match self.options.set(name, value) {
            Ok(Change::Variant) => self.state = start(&self.options),
            Ok(Change::Tables) => self.open_tables()?,
            Ok(Change::Small) => {}
            Ok(Change::NotOurs) if alone || Options::is_own(name) => {
                self.out.say(&format!(
                    "there is no option {name:?}: the command uci lists the options"
                ))?;
            }
            Ok(Change::NotOurs) => {}
            // The option may be one that only the engine has.
            Err(_) if !alone && !Options::is_own(name) => {
                if self.options.rules != before {
                    self.state = start(&self.options);
                }
            }
            Err(words) => {
                self.options.rules = before;
                self.out.say(&words)?;
            }
        }
        Ok(())
    }

    /// Opens the tables in the directories that the options list, and reports the number of endings
    /// with tables and the largest number of men.
    fn open_tables(&mut self) -> io::Result<()> {
        let troubles;
        (self.tables, troubles) = Tables::open(&self.options);
        self.troubles.clear();
        for trouble in troubles {
            self.out.say(&trouble)?;
        }
        match self.tables.found() {
            Some(found) => self.out.say(&found),
            None => Ok(()),
        }
    }

    fn position(&mut self, text: &PositionText) -> io::Result<()> {
        let Some(rules) = self.options.rules else {
            return Ok(());
        };
        let begin = match &text.fen {
            None => Ok(GameState::start(rules)),
            Some(fen) => GameState::from_fen(fen, rules).map_err(|error| error.to_string()),
        };
        self.earlier = match &begin {
            Ok(begin) => before_last(begin, &text.moves),
            Err(_) => HashSet::new(),
        };
        self.state = match begin {
            Err(words) => Err(words),
            Ok(begin) => match begin.replay(text.moves.iter().copied()) {
                Ok(state) => Ok(state),
                // Without an engine, the game stays in the position after its last legal move.
                Err(error) if self.engine.is_none() => {
                    self.out.say(&error.to_string())?;
                    Ok(*error.before)
                }
                Err(error) => Err(error.to_string()),
            },
        };
        match &self.state {
            Err(words) => self.out.say(words),
            Ok(_) => Ok(()),
        }
    }

    fn go(&mut self, line: &str, go: &Go) -> io::Result<()> {
        if let Some(engine) = &mut self.engine {
            engine.abandon();
        }
        self.search = Search::None;
        self.searched_category = None;
        self.stop_by = None;
        // These messages are sent no earlier, because some programs treat messages between games as
        // errors.
        for trouble in std::mem::take(&mut self.troubles) {
            self.out.say_once(&trouble)?;
        }
        let state = match &self.state {
            Ok(state) => *state,
            Err(words) if !self.engine_plays() => {
                let words = words.clone();
                self.out.say(&words)?;
                return self.answer(go, "bestmove (none)".to_string());
            }
            Err(_) => return self.search_by_engine(line, Vec::new()),
        };
        if go.is_perft() && self.engine_plays() {
            // No `bestmove` answers it, so it is not a search.
            self.pass_on(line);
            return Ok(());
        }
        let legal = state.board.legal_moves();
        if legal.is_empty() {
            let score = if state.board.is_check() {
                "mate 0"
            } else {
                "cp 0"
            };
            self.out.line(&format!("info depth 0 score {score}"))?;
            return self.answer(go, "bestmove (none)".to_string());
        }
        let chosen = self.searchmoves(go, &state)?;
        let moves = match chosen.is_empty() {
            true => legal.to_vec(),
            false => chosen.clone(),
        };
        let chosen = !chosen.is_empty();
        match self.look(&state, &moves)? {
            Ok(known) => self.go_known(line, go, &state, known, chosen),
            Err(unknown) => self.go_unknown(line, go, &state, unknown, moves, chosen),
        }
    }

    /// The legal moves among `searchmoves`. Names the others in a message.
    fn searchmoves(&mut self, go: &Go, state: &GameState) -> io::Result<Vec<Move>> {
        let (mut chosen, mut illegal) = (Vec::new(), Vec::new());
        for &text in &go.searchmoves {
            match state.parse_uci(text) {
                Some(m) => chosen.push(m),
                None => illegal.push(text),
            }
        }
        if !illegal.is_empty() {
            let are = match illegal.len() {
                1 => "is not a legal move",
                _ => "are not legal moves",
            };
            let then = match chosen.is_empty() {
                true => "all moves are considered",
                false => "the other moves in searchmoves are considered",
            };
            self.out
                .say(&format!("{} {are} in {state}: {then}", illegal.join(", ")))?;
        }
        Ok(chosen)
    }

    /// Looks up the game's position in the tables, and reports corrupt tables.
    fn look(&mut self, state: &GameState, moves: &[Move]) -> io::Result<Result<Known, Unknown>> {
        let known = self.tables.look(state, &self.options, moves);
        for replaced in self.tables.newly_replaced() {
            self.out.say(&replaced.to_string())?;
        }
        Ok(known)
    }

    /// Answers from the distance tables. If the position is drawn, the engine chooses the move.
    fn go_known(
        &mut self,
        line: &str,
        go: &Go,
        state: &GameState,
        mut known: Known,
        chosen: bool,
    ) -> io::Result<()> {
        self.out.say(&match chosen {
            true => display::verdict_of_chosen(&known),
            false => display::verdict(&known),
        })?;
        let best = known.moves.first().map(|best| best.category);
        let decided = matches!(best, Some(Category::Win | Category::Loss));
        if self.engine_plays() && !decided {
            if best.is_none() {
                return self.search_by_engine(line, Vec::new());
            }
            known.moves.retain(|ranked| Some(ranked.category) == best);
            let moves: Vec<Move> = known.moves.iter().map(|ranked| ranked.m).collect();
            let lettering = state.lettering();
            let names: Vec<String> = moves.iter().map(|m| m.uci(lettering).to_string()).collect();
            self.searched_category = best;
            return self.search_by_engine(&go.with_searchmoves(&names), moves);
        }
        let began = Instant::now();
        let deadline = began + go.time(state.board.turn());
        let mut effort = Effort {
            nodes: 1,
            probes: known.moves.len() as u64,
        };
        let mut bestmove = String::new();
        for (i, ranked) in known.moves.iter().take(self.options.lines).enumerate() {
            let variation = variation(&self.tables, &known, ranked, deadline, &mut effort);
            let names: Vec<String> = {
                let moves = variation.moves.iter();
                moves
                    .map(|m| m.uci(state.lettering()).to_string())
                    .collect()
            };
            let depth = names.len();
            let wdl = match self.options.show_wdl {
                true => format!(" wdl {}", variation.wdl()),
                false => String::new(),
            };
            let elapsed = began.elapsed();
            let nps = effort.nodes as f64 / elapsed.as_secs_f64().max(1e-3);
            self.out.line(&format!(
                "info depth {depth} seldepth {depth} multipv {} score {}{wdl} nodes {} nps {nps:.0} tbhits {} time {} pv {}",
                i + 1,
                variation.score(),
                effort.nodes,
                effort.probes,
                elapsed.as_millis(),
                names.join(" ")
            ))?;
            if i == 0 {
                bestmove = match names.get(1) {
                    Some(reply) => format!("bestmove {} ponder {reply}", names[0]),
                    None => format!("bestmove {}", names[0]),
                };
            }
        }
        self.answer(go, bestmove)
    }

    fn go_unknown(
        &mut self,
        line: &str,
        go: &Go,
        state: &GameState,
        unknown: Unknown,
        moves: Vec<Move>,
        chosen: bool,
    ) -> io::Result<()> {
        match unknown {
            Unknown::OutOfReach => {}
            Unknown::Failed(words) => self.out.say_once(&words)?,
            Unknown::OnlyVerdicts(known) => {
                return self.go_by_verdicts(go, state, &known, chosen);
            }
        }
        if self.engine_plays() {
            return self.search_by_engine(line, moves);
        }
        self.out.say_once(
            "no table contains this position: sakmak plays a legal move without a search",
        )?;
        let bestmove = self.blind_move(state, &moves);
        self.answer(go, bestmove)
    }

    /// The `bestmove` line for a position that no table contains, if there is no engine to ask.
    fn blind_move(&self, state: &GameState, moves: &[Move]) -> String {
        match fallback::choose(state, moves) {
            Some(m) => format!("bestmove {}", m.uci(state.lettering())),
            None => "bestmove (none)".to_string(),
        }
    }

    /// True if there is an engine and it has not failed to answer `stop`.
    fn engine_plays(&self) -> bool {
        self.engine
            .as_ref()
            .is_some_and(|engine| !engine.is_silent())
    }

    fn search_by_engine(&mut self, line: &str, moves: Vec<Move>) -> io::Result<()> {
        if let Some(engine) = &mut self.engine {
            engine.search(line);
        }
        self.search = Search::Engine(moves);
        Ok(())
    }

    /// Sends a `bestmove`, or keeps it until `stop` or `ponderhit`.
    fn answer(&mut self, go: &Go, bestmove: String) -> io::Result<()> {
        if go.holds() {
            self.search = Search::Held(bestmove);
            return Ok(());
        }
        self.out.line(&bestmove)
    }

    fn display(&mut self) -> io::Result<()> {
        let state = match &self.state {
            Ok(state) => *state,
            Err(words) => {
                let words = words.clone();
                return self.out.say(&words);
            }
        };
        self.out.line(&display::board(&state))?;
        let legal = state.board.legal_moves();
        let verdict = match self.look(&state, &legal)? {
            Ok(known) => display::verdict(&known),
            Err(Unknown::OutOfReach) => "no table contains this position".to_string(),
            Err(Unknown::OnlyVerdicts(known)) => display::by_verdicts(&known),
            Err(Unknown::Failed(words)) => words,
        };
        self.out.line(&format!("Tables: {verdict}"))
    }
}

/// The positions of a game before its last one.
fn before_last(begin: &GameState, moves: &[&str]) -> HashSet<Position> {
    let mut earlier = HashSet::new();
    let mut state = *begin;
    for text in moves {
        let Some(m) = state.parse_uci(text) else {
            break;
        };
        earlier.insert(*state.board.position());
        state = state.play(m);
    }
    earlier
}

/// The start position of the game, or the reason why the game is not supported.
fn start(options: &Options) -> Result<GameState, String> {
    options
        .rules
        .map(GameState::start)
        .ok_or_else(|| "UCI_Variant names an unknown game".to_string())
}

fn name() -> String {
    format!("sakmak {}", env!("CARGO_PKG_VERSION"))
}
