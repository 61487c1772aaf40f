//! `sakmak probe`: what becomes of a position.

use sakmak::board::{Color, Fen, Position};
use sakmak::material::MIN_MEN;
use sakmak::probe::{Distance, Moves, RankedMove, Tablebase, Value};
use sakmak::rules::{Allowance, Category, LimitKind, RuleSet};
use serde::Serialize;

use super::output::{print, print_json};
use super::question::Question;
use super::text::Columns;
use super::{Common, Failure};

/// What becomes of a position, and its moves from the best to the worst
///
/// The FEN needs the board and the side to move; a running count may follow, in plies, as
/// Fairy-Stockfish writes it. Without one, the count is taken to begin with the bare king's next
/// move.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
sakmak probe \"8/8/8/3k4/8/3K4/2SM4/8 w\"\n  \
sakmak probe \"8/1K6/2MN4/k1M5/8/8/8/8 b - 128 10 78\" --json\n  \
sakmak probe \"8/8/8/3k4/8/3K4/2BQ4/8 w\" --rules asean\n  \
sakmak probe \"8/8/8/3k4/8/3K4/2SM4/8 b\" --count 20")]
pub struct Args {
    #[command(flatten)]
    question: Question,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// What `probe --json` prints.
#[derive(Serialize)]
struct Document {
    fen: String,
    rules: RuleSet,
    side_to_move: &'static str,
    category: Option<Category>,
    dtm: Option<Moves>,
    dth: Option<Moves>,
    unit: &'static str,
    checkmate: bool,
    stalemate: bool,
    insufficient_material: bool,
    count: Option<Allowance>,
    moves: Vec<MoveDocument>,
}

#[derive(Serialize)]
struct MoveDocument {
    uci: String,
    san: String,
    #[serde(rename = "for")]
    player: &'static str,
    category: Option<Category>,
    dtm: Option<Moves>,
    dth: Option<Moves>,
    capture: bool,
    checkmate: bool,
}

/// A position and all that the tables say of it.
struct Answer {
    fen: Fen,
    rules: RuleSet,
    dtm: Distance,
    dth: Option<Distance>,
    value: Option<Value>,
    moves: Vec<RankedMove>,
    insufficient_material: bool,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let tablebase = common.tables.open()?;
    let rules = args.question.rules();
    let (fen, count) = args.question.read(&tablebase)?;
    let answer = Answer {
        rules,
        dtm: tablebase.dtm(&fen.position)?,
        dth: tablebase.dth(&fen.position, rules)?,
        value: tablebase.probe(&fen.position, rules, &count)?,
        moves: tablebase.best_moves(&fen.position, rules, &count)?,
        insufficient_material: insufficient_material(&tablebase, &fen.position)?,
        fen,
    };
    match args.json {
        true => print_json(&answer.document()),
        false => print(&answer.text()),
    }
}

/// True if neither side could mate even with the other's help: no position of the ending is won.
fn insufficient_material(tablebase: &Tablebase, position: &Position) -> Result<bool, Failure> {
    if position.occupied().len() <= MIN_MEN {
        return Ok(true);
    }
    let (material, _) = position.material().canonical();
    let statistics = tablebase.statistics(material)?;
    Ok(Color::ALL.into_iter().all(|turn| {
        let counts = statistics.to_move(turn);
        counts.draws == counts.legal()
    }))
}

impl Answer {
    fn turn(&self) -> Color {
        self.fen.position.turn()
    }

    fn checkmate(&self) -> bool {
        self.moves.is_empty() && self.fen.position.is_check()
    }

    fn stalemate(&self) -> bool {
        self.moves.is_empty() && !self.fen.position.is_check()
    }

    fn document(&self) -> Document {
        let lettering = self.rules.lettering();
        let player = name(self.turn());
        let moves = self.moves.iter().map(|ranked| MoveDocument {
            uci: ranked.m.to_string(),
            san: self.fen.position.san(ranked.m, lettering),
            player,
            category: ranked.category,
            dtm: ranked.dtm.moves(),
            dth: ranked.dth.and_then(Distance::moves),
            capture: ranked.capture,
            checkmate: ranked.checkmate,
        });
        Document {
            fen: self.fen.display(lettering).to_string(),
            rules: self.rules,
            side_to_move: player,
            category: self.value.map(|value| value.category),
            dtm: self.dtm.moves(),
            dth: self.dth.and_then(Distance::moves),
            unit: "moves",
            checkmate: self.checkmate(),
            stalemate: self.stalemate(),
            insufficient_material: self.insufficient_material,
            count: self.value.and_then(|value| value.allowance),
            moves: moves.collect(),
        }
    }

    fn text(&self) -> String {
        let lettering = self.rules.lettering();
        let mut text = format!(
            "{}, {} to move, {}\n{}\n",
            self.fen.position.material(),
            name(self.turn()),
            self.rules,
            self.verdict()
        );
        if let Some(allowance) = self.value.and_then(|value| value.allowance) {
            text += &count_in_words(&allowance, self.winner());
        }
        if !self.moves.is_empty() {
            let heading = format!("moves for {}", name(self.turn()));
            let mut columns = Columns::new(5, &[&heading, "", "", "", ""]);
            for ranked in &self.moves {
                let category = ranked.category.map_or("", Category::name);
                columns.row([
                    format!("  {}", self.fen.position.san(ranked.m, lettering)),
                    ranked.m.to_string(),
                    category.to_string(),
                    distance(ranked.dtm),
                    ranked.dth.map(honor).unwrap_or_default(),
                ]);
            }
            text += &format!("\n{columns}");
        }
        text
    }

    /// The side that the count is about.
    fn winner(&self) -> Color {
        let turn = self.turn();
        let dth = self.dth.and_then(|dth| dth.winner(turn));
        let bare = || {
            let material = self.fen.position.material();
            Color::ALL
                .into_iter()
                .find(|&color| material.army(color).is_empty())
        };
        dth.or(self.dtm.winner(turn))
            .or_else(|| bare().map(|bare| !bare))
            .unwrap_or(turn)
    }

    /// The answer in words: the category, the distance, and what the count has to do with it.
    fn verdict(&self) -> String {
        let winner = capital(self.winner());
        if self.checkmate() {
            return format!("loss: {} is checkmated", capital(self.turn()));
        }
        if self.stalemate() {
            return "draw: stalemate".to_string();
        }
        if self.insufficient_material {
            return "draw: no mate is possible with these men".to_string();
        }
        let Some(moves) = self.dtm.moves() else {
            return "draw: neither side can force mate".to_string();
        };
        let Some(value) = self.value else {
            return format!(
                "{winner} mates in {moves} if nothing is counted: what the count makes of it is not known"
            );
        };
        let category = value.category;
        let left = value.allowance.map(|allowance| allowance.moves_available);
        let count = match left {
            None => "and nothing is counted".to_string(),
            Some(left) if category.is_count_draw() => {
                format!("but the count leaves {left}: count draw")
            }
            Some(left) => format!("and the count leaves {left}"),
        };
        match self.dth {
            None => format!("{category}: {winner} mates in {moves}, {count}"),
            // Mate or a capture of the last man that is as good.
            Some(dth) => match dth.moves() {
                Some(honor) => {
                    format!("{category}: {winner} has honor in {honor} (mate in {moves}), {count}")
                }
                None => format!(
                    "{category}: {winner} mates in {moves} if nothing is counted, but whenever the last man falls the count against the bare king is too short: count draw"
                ),
            },
        }
    }
}

/// The distance of a move, for the player who makes it.
fn distance(dtm: Distance) -> String {
    match dtm {
        Distance::Win(moves) => format!("mates in {moves}"),
        Distance::Draw => String::new(),
        Distance::Loss(moves) => format!("is mated in {moves}"),
    }
}

/// The distance to honor of a move.
fn honor(dth: Distance) -> String {
    match dth {
        Distance::Win(moves) | Distance::Loss(moves) => format!("honor in {moves}"),
        Distance::Draw => String::new(),
    }
}

/// How the count stands.
fn count_in_words(allowance: &Allowance, winner: Color) -> String {
    let rule = match allowance.kind {
        LimitKind::PiecesHonor => "pieces' honor",
        LimitKind::BoardsHonor => "board's honor",
        LimitKind::FiftyMoves => "fifty moves without a capture",
    };
    let Allowance {
        limit,
        counted,
        moves_available,
        ..
    } = allowance;
    let winner = capital(winner);
    match allowance.started {
        true => format!(
            "count: {rule}, {counted} of {limit} counted, {winner} has {moves_available} moves left\n"
        ),
        false => format!(
            "count: {rule}, limit {limit}, beginning after {counted}: {winner} has {moves_available} moves\n"
        ),
    }
}

pub fn name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

pub fn capital(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
