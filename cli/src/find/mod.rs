//! `sakmak find`: searches endings for positions by property, or for puzzles.

mod count;
mod format;
mod puzzles;
mod sheet;
mod solution;

use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::ValueEnum;
use sakmak::board::{Color, Fen};
use sakmak::material::{CanonicalMaterial, parse_set};
use sakmak::probe::line_pgn;
use sakmak::probe::{Distance, Tablebase};
use sakmak::rules::{Category, Count, RuleSet};
use sakmak_play::find::{
    Capture, Criteria, Finder, FirstMove, Found, Promotion, Region, Theme, margin,
};

use super::output::{json_line, print};
use super::rules_help::rules_help;
use super::threads_args::ThreadsArgs;
use super::{Common, Failure};
use format::Format;

/// Search endings for positions by property, or for puzzles
///
/// The properties include wins just before the count ends, only moves, and captures or promotions
/// that throw a win away. Positions come in random order, which depends only on the seed and the
/// tables. Of two mirror images only one is printed. White is the side named first, and no count
/// has begun.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
sakmak find KSMvK --margin 0 --only-move\n  \
sakmak find KRvKN --capture throws-win --format pgn\n  \
sakmak find KNMvK --turn b --dtm 20..30 --men k@d-e4-5 --format json\n  \
sakmak find KSMvK --verdict cursed-win --margin=-1 --limit 3 --seed 8\n  \
sakmak find KRvKN KSMvK --verdict draw --count > openings.epd\n  \
sakmak find KSPvK KRPvK --promotion throws-win --only-move\n  \
sakmak find KSMvK KNMvK --puzzles 12 --format html > sheet.html\n  \
sakmak find KSPvK --puzzles 12 --theme promote-or-wait\n  \
sakmak find KSMvK --turn b --puzzles 6 --format epd")]
pub struct Args {
    /// Endings to search: names such as KSMvK, or sets such as bare-4
    #[arg(required = true, num_args = 1.., value_name = "ENDING")]
    endings: Vec<String>,
    #[arg(long, value_name = "RULES", default_value = "makruk", help = rules_help("The rule set"))]
    rules: RuleSet,
    /// The side to move
    #[arg(long, value_enum, default_value_t = Turn::W)]
    turn: Turn,
    /// Verdict for the side to move: win, cursed-win, draw, blessed-loss or loss
    #[arg(long, value_name = "VERDICT", value_parser = verdict)]
    verdict: Option<Category>,
    /// Moves to mate: a number, or a range such as 20..30
    #[arg(long, value_name = "MOVES", value_parser = moves)]
    dtm: Option<RangeInclusive<u32>>,
    /// Moves that the count leaves, minus moves that the winner needs: 0 is just in time, -1 just
    /// too late
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    margin: Option<i32>,
    /// Only positions in which exactly one of several legal moves keeps the result
    #[arg(long)]
    only_move: bool,
    /// The effect of a capture: either it gives up a win, or it draws for the bare king while all
    /// other moves lose
    #[arg(long, value_enum)]
    capture: Option<CaptureArg>,
    /// The effect of promoting a bia at once: it gives up a win, it wins, or it is the only way to
    /// win
    #[arg(long, value_enum)]
    promotion: Option<PromotionArg>,
    /// Mutual zugzwang if nothing is counted: each side gets a worse result if it has to move
    #[arg(long)]
    zugzwang: bool,
    /// Kind of the moves that keep the result: all of them must be of this kind
    #[arg(long, value_enum)]
    first_move: Option<FirstMoveArg>,
    /// Squares of a man, with small letters for Black: K@d4, k@a-d1-4; may be repeated
    #[arg(long, value_name = "MAN@SQUARES")]
    men: Vec<Region>,
    /// Maximum number of positions; 0 for all
    #[arg(long, value_name = "N", default_value_t = 10)]
    limit: usize,
    /// The seed of the random order
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Output format [default: fen; pgn with --puzzles]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write into each FEN the count that begins with the next move, for programs that count only
    /// if the FEN has a count
    #[arg(long, conflicts_with_all = ["json", "puzzles"])]
    count: bool,
    /// Print one JSON document per position: the same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Number of puzzles to find, with solutions. In a puzzle the solver has at least two moves,
    /// each the only one that keeps the result
    #[arg(long, value_name = "N", conflicts_with_all = ["limit", "only_move"])]
    puzzles: Option<usize>,
    /// Only puzzles about promotion: won positions in which the solver can promote, or drawn ones
    /// in which a bia is about to promote
    #[arg(long, value_enum, requires = "puzzles", conflicts_with_all = ["turn", "verdict", "promotion", "first_move"])]
    theme: Option<ThemeArg>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Turn {
    /// White, the side named first
    W,
    /// Black
    B,
    /// Either
    Any,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CaptureArg {
    ThrowsWin,
    SavesKing,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PromotionArg {
    ThrowsWin,
    Wins,
    Only,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FirstMoveArg {
    Quiet,
    Check,
    Capture,
    Promotion,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ThemeArg {
    PromoteOrWait,
    StopPromotion,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let wanted = args.wanted();
    wanted.check()?;
    if args.puzzles.is_some() && wanted.dtm.as_ref().is_some_and(|range| *range.end() < 2) {
        return Err(Failure::input(
            "the solver of a puzzle makes at least two moves: ask for mate in 2 or more moves, or leave --dtm out",
        ));
    }
    let mut endings: Vec<CanonicalMaterial> = Vec::new();
    for word in &args.endings {
        // The name of an ending stands for that ending only, without its subendings.
        let named = match word.parse() {
            Ok(material) => vec![material],
            Err(_) => parse_set(word)?,
        };
        for material in named {
            if !endings.contains(&material) {
                endings.push(material);
            }
        }
    }
    wanted.check_endings(&endings)?;
    ThreadsArgs::default().start(common.quiet)?;
    let tablebase = common.open_tables()?;
    if let Some(number) = args.puzzles {
        let search = puzzles::Search {
            wanted: &wanted,
            endings: &endings,
            theme: args.theme.map(|theme| match theme {
                ThemeArg::PromoteOrWait => Theme::PromoteOrWait,
                ThemeArg::StopPromotion => Theme::StopPromotion,
            }),
            number,
            seed: args.seed,
            format: args.format().unwrap_or(Format::Pgn),
        };
        return puzzles::run(&tablebase, &search);
    }
    let format = args.format().unwrap_or(Format::Fen);
    if format == Format::Html {
        return Err(Failure::input(
            "--format html is for puzzles: give their number with --puzzles",
        ));
    }
    if args.count && format != Format::Fen {
        return Err(Failure::input(
            "--count is for --format fen: leave one of the two out",
        ));
    }
    let most = match args.limit {
        0 => usize::MAX,
        limit => limit,
    };
    let mut printer = Printer {
        tablebase: &tablebase,
        rules: args.rules,
        format,
        count: args.count,
        number: 0,
    };
    let mut finders = Vec::new();
    for material in endings {
        let finder = Finder::new(&tablebase, material, &wanted, args.seed)?;
        finders.push((
            material,
            match args.limit {
                0 => finder.all(),
                _ => finder,
            },
        ));
    }
    // The endings take turns, with one position each.
    while printer.number < most && !finders.is_empty() {
        let mut left = Vec::with_capacity(finders.len());
        for (material, mut finder) in finders {
            if printer.number == most {
                break;
            }
            if let Some(found) = finder.next() {
                printer.print(material, &found?)?;
                left.push((material, finder));
            }
        }
        finders = left;
    }
    match printer.number {
        0 => Err(Failure::no(format!(
            "no matching position in {}: use fewer filters",
            args.endings.join(", ")
        ))),
        _ => Ok(()),
    }
}

impl Args {
    fn format(&self) -> Option<Format> {
        self.format.or(self.json.then_some(Format::Json))
    }

    fn wanted(&self) -> Criteria {
        Criteria {
            rules: self.rules,
            turn: match self.turn {
                Turn::W => Some(Color::White),
                Turn::B => Some(Color::Black),
                Turn::Any => None,
            },
            category: self.verdict,
            dtm: self.dtm.clone(),
            margin: self.margin,
            only_move: self.only_move || self.puzzles.is_some(),
            capture: self.capture.map(|capture| match capture {
                CaptureArg::ThrowsWin => Capture::ThrowsWin,
                CaptureArg::SavesKing => Capture::SavesKing,
            }),
            promotion: self.promotion.map(|promotion| match promotion {
                PromotionArg::ThrowsWin => Promotion::ThrowsWin,
                PromotionArg::Wins => Promotion::Wins,
                PromotionArg::Only => Promotion::Only,
            }),
            zugzwang: self.zugzwang,
            first_move: self.first_move.map(|first| match first {
                FirstMoveArg::Quiet => FirstMove::Quiet,
                FirstMoveArg::Check => FirstMove::Check,
                FirstMoveArg::Capture => FirstMove::Capture,
                FirstMoveArg::Promotion => FirstMove::Promotion,
            }),
            men: self.men.clone(),
        }
    }
}

/// Prints each position as soon as it is found.
struct Printer<'a> {
    tablebase: &'a Tablebase,
    rules: RuleSet,
    format: Format,
    count: bool,
    number: usize,
}

impl Printer<'_> {
    fn print(&mut self, material: CanonicalMaterial, found: &Found) -> Result<(), Failure> {
        let first = self.number == 0;
        self.number += 1;
        let fen = Fen::new(found.position);
        let lettering = self.rules.lettering();
        let text = fen.display(lettering).to_string();
        let value = &found.value;
        let moves = |distance: Distance| distance.moves().map(|moves| moves.0);
        let available = value.allowance.map(|allowance| allowance.moves_available);
        match self.format {
            Format::Fen if self.count => {
                let text = count::with_count(&fen, self.rules);
                print(&format!("{text}\n"))
            }
            Format::Fen => print(&format!("{text}\n")),
            Format::Json => {
                let document = found.document(self.tablebase, material, self.rules)?;
                print(&json_line(&document)?)
            }
            Format::Csv => {
                let number = |n: Option<String>| n.unwrap_or_default();
                let heading = match first {
                    true => "ending,fen,rules,category,dtm,dth,moves_available,margin\n",
                    false => "",
                };
                print(&format!(
                    "{heading}{material},{text},{},{},{},{},{},{}\n",
                    self.rules,
                    value.category,
                    number(moves(value.dtm).map(|n| n.to_string())),
                    number(value.dth.and_then(moves).map(|n| n.to_string())),
                    number(available.map(|n| n.to_string())),
                    number(margin(value).map(|n| n.to_string())),
                ))
            }
            Format::Pgn => {
                let line = self
                    .tablebase
                    .line(&found.position, self.rules, &Count::Fresh)?;
                let event = format!("{material}, {}", value.category);
                print(&(line_pgn(&event, &fen, self.rules, &line) + "\n"))
            }
            Format::Epd => {
                let keeping = found.keeping(self.tablebase, self.rules)?.join(" ");
                let mut epd = fen.display(lettering).epd().to_string();
                if !keeping.is_empty() {
                    epd += &format!(" bm {keeping};");
                }
                if let Some(moves) = moves(value.dtm) {
                    epd += &format!(" dm {moves};");
                }
                print(&format!("{epd} id \"{material} {}\";\n", self.number))
            }
            // This format is for puzzles only, so no position is printed.
            Format::Html => Ok(()),
        }
    }
}

/// Parses the name of a verdict.
fn verdict(name: &str) -> Result<Category, String> {
    let mut all = Category::ALL.into_iter();
    all.find(|category| category.name() == name)
        .ok_or_else(|| "give win, cursed-win, draw, blessed-loss or loss".to_string())
}

/// Parses a number of moves, or a range.
fn moves(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (from, to) = text.split_once("..").unwrap_or((text, text));
    let number = |text: &str| u32::from_str(text).ok();
    let range = number(from).zip(number(to));
    range
        .map(|(from, to)| from..=to)
        .ok_or_else(|| "give a number of moves, or a range such as 10..20".to_string())
}
