//! The report's sections about promotion, for endings with bia.

use crate::{PromotionScan, PromotionStudy, RECORD_RULES, Won};
use sakmak::board::{Color, Fen, Role};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Share;
use sakmak::rules::{Count, RuleSet, moves_available};

use super::contents::Group;
use super::tables::{Cell, Table};
use super::words::{name, or_dash, part, sampled, share};
use crate::text::number;

/// The smallest number of positions for which a side gets a row. With fewer, its shares would mean
/// little.
const FEWEST: u64 = 100;

/// The tables on promotion for a group of endings, without empty tables.
pub fn tables(group: &Group) -> Vec<Table> {
    let tables = group.rules.iter().flat_map(|&rules| {
        let first = match rules.game().promotions() {
            [_] => vec![at_once(group, rules), worth(group, rules)],
            _ => vec![choice(group, rules)],
        };
        let rest = [squares(group, rules), last_bia(group, rules)];
        first.into_iter().chain(rest)
    });
    tables.filter(|table| !table.rows.is_empty()).collect()
}

/// The title of a table about one rule set.
fn title(words: &str, rules: RuleSet) -> String {
    match rules {
        RECORD_RULES => words.to_string(),
        _ => format!("{words}, {}", name(rules)),
    }
}

/// The results of all endings of a group on the promotions of each side, under one rule set.
fn promotions<'a>(
    group: &Group<'a>,
    rules: RuleSet,
) -> impl Iterator<Item = (CanonicalMaterial, &'a PromotionScan)> {
    let scans = studies(group).flat_map(|(material, study)| {
        let scans = study.promotions.iter();
        scans.map(move |scan| (material, scan))
    });
    scans.filter(move |(_, scan)| scan.rules == rules)
}

/// The endings of a group, each with its results on promotion.
fn studies<'a>(group: &Group<'a>) -> impl Iterator<Item = (CanonicalMaterial, &'a PromotionStudy)> {
    let endings = group.endings.clone().into_iter();
    endings.filter_map(|ending| Some((ending.material(), ending.promotion()?)))
}

/// Adds a row that begins with the ending.
fn row<C: Into<Cell>>(
    table: &mut Table,
    material: CanonicalMaterial,
    cells: impl IntoIterator<Item = C>,
) {
    let cells = cells.into_iter().map(Into::into);
    table.row(std::iter::once(Cell::from(material)).chain(cells));
}

/// The first of these examples, or a dash.
fn example<'a>(rules: RuleSet, mut examples: impl Iterator<Item = &'a Fen>) -> Cell {
    let first = examples.next().map(|fen| Cell::Fen(*fen, rules));
    first.unwrap_or_else(|| Cell::from("-".to_string()))
}

/// The men of one side of an ending.
fn army(material: CanonicalMaterial, side: Color) -> String {
    material.army(side).to_string()
}

fn at_once(group: &Group, rules: RuleSet) -> Table {
    let wait = match rules.counts_with_bia() {
        false => "the last bia is promoted or taken with enough of the count left",
        true => "a new count begins that leaves enough moves",
    };
    let mut table = Table::new(
        &title("Promoting at once", rules),
        &format!(
            "Positions of {} in which the side with the bia is to move, wins, and can promote a bia at once. “leaves”: the number of moves that the count leaves after promotion of the only bia, with the bare king to move. “thrown”: the share of these positions in which every promotion throws the win away. “by the count”: the share in which promotion throws it away only because of the count, since mate can still be forced, but too late. “on the board”: of the positions that would be won if nothing were counted, the share in which every promotion throws that win away. “only move”: the share in which exactly one of several legal moves wins. “only by promoting”: the share in which that one move is a promotion. “half wait” and “most wait” are for positions in which promoting at once throws the win away: the number of moves that the side with the bia must play until mate, or until {wait}. Half of the positions need no more than the first number, 95 % no more than the second. The columns from “only move” to “most wait” are from samples of up to 1,000 positions. Sides with fewer than 100 positions are left out.",
            name(rules)
        ),
        2,
        &[
            "ending",
            "side",
            "positions",
            "leaves",
            "thrown",
            "by the count",
            "on the board",
            "only move",
            "only by promoting",
            "half wait",
            "most wait",
            "promotion is too early",
        ],
    );
    for (material, scan) in promotions(group, rules).filter(|(_, scan)| scan.possible >= FEWEST) {
        let (moves, waits) = (&scan.moves, &scan.waits);
        let cells = [
            army(material, scan.side),
            number(scan.possible),
            or_dash(left_after_promotion(material, rules)),
            part(scan.throws, scan.possible),
            part(scan.throws_by_count, scan.possible),
            part(scan.throws_on_board, scan.possible_on_board),
            sampled(moves.only_move, moves.asked, scan.possible),
            sampled(moves.only_promotion, moves.asked, scan.possible),
            or_dash((waits.asked > 0).then_some(waits.median_moves)),
            or_dash((waits.asked > 0).then_some(waits.most_moves)),
        ];
        let cells = cells.into_iter().map(Cell::from);
        let too_early = example(rules, scan.examples.iter());
        row(&mut table, material, cells.chain([too_early]));
    }
    table
}

/// The number of moves that the count leaves after the promotion of the only bia to a met, with the
/// bare king to move. `None` unless Black has a bare king and White exactly one bia.
fn left_after_promotion(material: CanonicalMaterial, rules: RuleSet) -> Option<u32> {
    let men = material.material();
    if !material.is_bare() || material.bia() != 1 {
        return None;
    }
    let army = men.army(Color::White).without(Role::Bia)?.with(Role::Met);
    let after = men.with_army(Color::White, army);
    moves_available(rules, after, Color::White, Color::Black, &Count::Fresh)
}

/// The table of promotion choices.
fn choice(group: &Group, rules: RuleSet) -> Table {
    let men = rules.game().promotions();
    let names: Vec<String> = men.iter().map(|role| role.letter().to_string()).collect();
    let only: Vec<String> = names.iter().map(|name| format!("only {name}")).collect();
    let mut headings = vec!["ending", "side", "positions", "thrown", "by the count"];
    headings.extend(names.iter().chain(&only).map(String::as_str));
    headings.extend(["only move", "only by promoting"]);
    let mut table = Table::new(
        &title("Which man to promote to", rules),
        &format!(
            "Positions of {} in which the side with the bia is to move, wins, and can promote a bia at once. “thrown”: the share of these positions in which every promotion, to any man, throws the win away. “by the count”: the share in which mate can still be forced after some promotion, but too late. The columns with a letter: the share in which promotion to that man keeps the win. “only” and a letter: the share in which promotion to that man keeps the win and promotion to any other man does not. “only move”: the share in which exactly one of several legal moves wins. “only by promoting”: the share in which that one move is a promotion. The last two columns are from samples of up to 1,000 positions. Sides with fewer than 100 positions are left out.",
            name(rules)
        ),
        2,
        &headings,
    );
    for (material, scan) in promotions(group, rules).filter(|(_, scan)| scan.possible >= FEWEST) {
        let of = |positions: u64| part(positions, scan.possible);
        let moves = &scan.moves;
        let mut cells = vec![
            army(material, scan.side),
            number(scan.possible),
            of(scan.throws),
            of(scan.throws_by_count),
        ];
        let results = || men.iter().map(|&role| scan.promoted_to(role));
        cells.extend(results().map(|to| of(to.keeps)));
        cells.extend(results().map(|to| of(to.only)));
        let samples = [moves.only_move, moves.only_promotion];
        cells.extend(samples.map(|found| sampled(found, moves.asked, scan.possible)));
        row(&mut table, material, cells);
    }
    table
}

fn worth(group: &Group, rules: RuleSet) -> Table {
    let mut table = Table::new(
        &title("What a bia is worth", rules),
        &format!(
            "The share of all positions of {} that the side with the bia, to move, wins in time with the bia, with a met in its place, and without either. The other men are the same. Sides that win fewer than 100 positions are left out.",
            name(rules)
        ),
        2,
        &["ending", "side", "with the bia", "promoted", "lost"],
    );
    let wins =
        |scan: &PromotionScan| scan.won.max(scan.promoted.map_or(0, |men| men.won)) >= FEWEST;
    for (material, scan) in promotions(group, rules).filter(|(_, scan)| wins(scan)) {
        let won = |won: Won| part(won.won, won.legal);
        let cells = [
            army(material, scan.side),
            part(scan.won, scan.legal),
            or_dash(scan.promoted.map(won)),
            or_dash(scan.lost.map(won)),
        ];
        row(&mut table, material, cells);
    }
    table
}

/// The column headings for the files of a bia: each file with its mirror image, from the edge of
/// the board to the middle.
const FILES: [&str; 4] = ["a, h", "b, g", "c, f", "d, e"];

/// The share of positions that the side with the bia wins, for each pair of files in `FILES`.
/// All ranks of the bia are included.
pub fn by_file(scan: &PromotionScan) -> [Share; 4] {
    sums(scan, |file, _| file)
}

/// The share of positions that the side with the bia wins, for each rank of the bia, from the third
/// to the last before promotion, counted from its own side.
pub fn by_rank(scan: &PromotionScan) -> Vec<Share> {
    let shares: [Share; 5] = sums(scan, |_, rank| rank - 2);
    shares[..ranks(scan.rules)].to_vec()
}

/// The number of ranks on which a bia can stand.
fn ranks(rules: RuleSet) -> usize {
    let [first, last] = rules.game().bia_ranks(Color::White);
    usize::from(last - first) + 1
}

fn sums<const N: usize>(scan: &PromotionScan, place: impl Fn(usize, usize) -> usize) -> [Share; N] {
    let mut shares = [Share {
        positions: 0,
        of: 0,
    }; N];
    for square in &scan.squares {
        let (file, rank) = (square.square.file(), square.square.rank());
        let place = place(file.into(), rank.into());
        if let Some(share) = shares.get_mut(place) {
            share.positions += square.won.won;
            share.of += square.won.legal;
        }
    }
    shares
}

fn squares(group: &Group, rules: RuleSet) -> Table {
    let of_ranks: Vec<String> = (3..)
        .take(ranks(rules))
        .map(|n| format!("rank {n}"))
        .collect();
    let mut headings = vec!["ending", "side"];
    headings.extend(FILES);
    headings.extend(of_ranks.iter().map(String::as_str));
    headings.extend(["king beside it", "king 4 steps off"]);
    let mut table = Table::new(
        &title("Where the bia should stand", rules),
        &format!(
            "The share of positions of {} that the side with the bia, to move, wins in time: with a bia on these files, with a bia on these ranks, counted from its own side, and with its king next to its nearest bia or four steps away.",
            name(rules)
        ),
        2,
        &headings,
    );
    for (material, scan) in promotions(group, rules).filter(|(_, scan)| scan.won >= FEWEST) {
        let mut cells = vec![army(material, scan.side)];
        cells.extend(by_file(scan).map(share));
        cells.extend(by_rank(scan).into_iter().map(share));
        let steps = [0, 3].map(|steps| scan.king.get(steps));
        cells.extend(steps.map(|won| or_dash(won.map(|won| part(won.won, won.legal)))));
        row(&mut table, material, cells);
    }
    table
}

fn last_bia(group: &Group, rules: RuleSet) -> Table {
    let mut table = Table::new(
        &title("The weaker side's last bia", rules),
        &format!(
            "Positions of {} in which the side with the only bia is to move and only the count saves it: if nothing were counted, it would be mated. “can promote”: the share in which the bia can promote at once. “promotion draws”: the share in which promoting at once draws. “only by promoting”: the share in which promoting draws and no other move does. “only by giving it up”: the share in which only a move of the bia to a square where it can be captured draws. The last two columns are from a sample of up to 1,000 positions, so by chance they may not agree with the columns before them.",
            name(rules)
        ),
        2,
        &[
            "ending",
            "side",
            "positions",
            "can promote",
            "promotion draws",
            "only by promoting",
            "only by giving it up",
            "only this saves it",
        ],
    );
    for (material, study) in studies(group) {
        let scans = study.last_bia.iter().filter(|scan| scan.rules == rules);
        for scan in scans.filter(|scan| scan.held > 0) {
            let cells = [
                army(material, scan.side),
                number(scan.held),
                part(scan.possible, scan.held),
                part(scan.promotion_draws, scan.held),
                sampled(scan.only_promotion, scan.asked, scan.held),
                sampled(scan.only_giving_up, scan.asked, scan.held),
            ];
            let cells = cells.into_iter().map(Cell::from);
            let examples = scan.giving_up_examples.iter();
            let saves = example(rules, examples.chain(&scan.promotion_examples));
            row(&mut table, material, cells.chain([saves]));
        }
    }
    table
}
