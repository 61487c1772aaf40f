//! `sakmak stats`: shows the statistics of an ending.

use sakmak::board::Color;
use sakmak::material::{CanonicalMaterial, MaterialError};
use sakmak::probe::{Overlay, Share};
use sakmak::rules::RuleSet;
use sakmak::statistics::{Counts, Statistics};
use sakmak_study::StatisticsDocument;

use super::format::{Columns, number, percent};
use super::output::{print, print_json};
use super::{Common, Failure};

/// Show exact statistics of an ending under each rule set
///
/// All legal positions on the whole board are counted; exchanging two like men gives the same
/// position. Distances are in moves of the winning side.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  sakmak stats KSMvK\n  sakmak stats KSMvK --json\n  sakmak stats KRPvK --rules asean"
)]
pub struct Args {
    /// The ending, for instance KSMvK: letters K R N S M P, with a v between the sides
    material: String,
    /// Only this rule set: makruk, asean or ouk. Under asean, endings with bia have tables of their
    /// own
    #[arg(long, value_name = "RULES")]
    rules: Option<RuleSet>,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let mut material: CanonicalMaterial = args.material.parse()?;
    if let Some(rules) = args.rules {
        material = material.in_game_unless_named(rules.game());
        material
            .material()
            .check_men()
            .map_err(MaterialError::from)?;
    }
    let tablebase = common.open_tables()?;
    if let Some(rules) = args.rules {
        tablebase.inventory().require(material, rules)?;
    }
    let mut document = StatisticsDocument::new(&tablebase, material)?;
    if let Some(rules) = args.rules {
        document.rules.retain(|overlay| overlay.rules == rules);
        document.missing_rules.clear();
    }
    if args.json {
        return print_json(&document);
    }
    let statistics = tablebase.inventory().statistics(material)?;
    let mut text = format!("{material}: {} men\n\n", material.men());
    text += &results(statistics).to_string();
    for overlay in &document.rules {
        text += &format!("\n{}", in_words(material, overlay));
    }
    text += &format!("\n{}", distances(statistics));
    if !document.missing_rules.is_empty() {
        let found = tablebase.inventory().rule_sets(material)?;
        let command = common.tables.command(&format!("generate {material}"));
        text += &format!(
            "\nThe table has results for {found} only: generate the other rule sets with `{command}`.\n"
        );
    }
    print(&text)
}

/// Tabulates how many positions are won, drawn and lost if nothing is counted.
fn results(statistics: &Statistics) -> Columns {
    let mut columns = Columns::new(1, &["", "white to move", "", "black to move", ""]);
    let mut row = |name: &str, of: &dyn Fn(&Counts) -> u64| {
        let mut cells = vec![name.to_string()];
        for turn in Color::ALL {
            let counts = statistics.to_move(turn);
            let share = Share {
                positions: of(counts),
                of: counts.legal(),
            };
            cells.extend([number(share.positions), percent(share.percent())]);
        }
        columns.row(cells);
    };
    row("legal positions", &Counts::legal);
    for winner in Color::ALL {
        row(&format!("{winner} mates"), &|counts| {
            counts.wins(winner).iter().sum()
        });
    }
    row("draws", &|counts| counts.draws);
    columns
}

/// Describes the results under a rule set in words.
fn in_words(material: CanonicalMaterial, overlay: &Overlay) -> String {
    let mut text = overlay.rules.to_string();
    let available = &overlay.moves_available;
    text += &match (
        overlay.limit,
        available.white_to_move,
        available.black_to_move,
    ) {
        _ if overlay.rules.has_fifty_move_rule() && !material.material().is_pawnless() => {
            ": no count runs while there are bia, and captures and moves of bia restart the fifty-move rule\n"
                .to_string()
        }
        (Some(limit), Some(white), Some(black)) => {
            format!(": limit {limit}, White has {white} moves with White to move, {black} with Black to move\n")
        }
        _ if !material.is_pawnless() && overlay.rules.counts_with_bia() => {
            ": no count begins against a bare king while there are bia, and a fresh count begins when the last bia is gone\n"
                .to_string()
        }
        _ if !material.is_pawnless() => {
            ": no count runs while there are bia, and a fresh count begins when the last bia is gone\n"
                .to_string()
        }
        _ => ": nothing is counted while both sides have men\n".to_string(),
    };
    for turn in Color::ALL {
        let share = overlay.won_inside_count(turn);
        text += &format!(
            "  {turn} to move: {} of {} won inside the count, {}\n",
            number(share.positions),
            number(share.of),
            percent(share.percent())
        );
    }
    for (name, longest) in [
        ("longest", &overlay.longest),
        ("longest inside the count", &overlay.longest_inside_count),
    ] {
        if let Some(longest) = longest {
            text += &format!("  {name}: {} moves, {}\n", longest.moves, longest.fen);
        }
    }
    text
}

/// Lists, for each distance to mate, the number of positions.
fn distances(statistics: &Statistics) -> String {
    let mut text = String::new();
    for winner in Color::ALL {
        let wins = Color::ALL.map(|turn| statistics.to_move(turn).wins(winner));
        let longest = wins.map(<[u64]>::len).into_iter().max().unwrap_or(0);
        if wins.iter().all(|wins| wins.iter().all(|&n| n == 0)) {
            continue;
        }
        let heading = format!("{winner} mates in");
        let mut columns = Columns::new(0, &[&heading, "white to move", "black to move"]);
        for moves in 0..longest {
            let mut cells = vec![moves.to_string()];
            cells.extend(wins.map(|wins| number(wins.get(moves).copied().unwrap_or(0))));
            columns.row(cells);
        }
        text += &columns.to_string();
    }
    text
}
