//! The report's sections about promotion, for endings with bia.

use crate::{PromotionScan, PromotionStudy, Won};
use sakmak::board::{Color, Role};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Share;
use sakmak::rules::{Count, RuleSet, moves_available};

use super::contents::Group;
use super::tables::{Cell, Table};
use super::words::{or_dash, part, sampled, share};
use crate::text::number;

/// The smallest number of positions for which a side gets a row. With fewer, its shares would mean
/// little.
const FEWEST: u64 = 100;

/// The tables on promotion for a group of endings, without empty tables.
pub fn tables(group: &Group) -> Vec<Table> {
    let tables = [
        at_once(group),
        worth(group),
        squares(group),
        last_bia(group),
    ];
    let tables = tables.into_iter();
    tables.filter(|table| !table.rows.is_empty()).collect()
}

/// The endings of a group, each with its results on promotion.
fn studies<'a>(group: &Group<'a>) -> impl Iterator<Item = (CanonicalMaterial, &'a PromotionStudy)> {
    let endings = group.endings.clone().into_iter();
    endings.filter_map(|ending| Some((ending.material(), ending.promotion()?)))
}

/// The men of one side of an ending.
fn army(material: CanonicalMaterial, side: Color) -> String {
    material.army(side).to_string()
}

fn at_once(group: &Group) -> Table {
    let mut table = Table::new(
        "Promoting at once",
        "Positions of makruk in which the side with the bia is to move, wins, and can promote a bia at once. “leaves”: the number of moves that the count leaves after promotion of the only bia, with the bare king to move. “thrown”: the share of these positions in which every promotion throws the win away. “by the count”: the share in which promotion throws it away only because of the count, since mate can still be forced, but too late. “on the board”: of the positions that would be won if nothing were counted, the share in which every promotion throws that win away. “only move”: the share in which exactly one of several legal moves wins. “only by promoting”: the share in which that one move is a promotion. “half wait” and “most wait” are for positions in which promoting at once throws the win away: the number of moves that the side with the bia must play until mate, or until the last bia is promoted or taken with enough of the count left. Half of the positions need no more than the first number, 95 % no more than the second. The columns from “only move” to “most wait” are from samples of up to 1,000 positions. Sides with fewer than 100 positions are left out.",
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
    for (material, study) in studies(group) {
        for scan in &study.promotions {
            if scan.possible < FEWEST {
                continue;
            }
            let (moves, waits) = (&scan.moves, &scan.waits);
            let cells = [
                army(material, scan.side),
                number(scan.possible),
                or_dash(left_after_promotion(material)),
                part(scan.throws, scan.possible),
                part(scan.throws_by_count, scan.possible),
                part(scan.throws_on_board, scan.possible_on_board),
                sampled(moves.only_move, moves.asked, scan.possible),
                sampled(moves.only_promotion, moves.asked, scan.possible),
                or_dash((waits.asked > 0).then_some(waits.median_moves)),
                or_dash((waits.asked > 0).then_some(waits.most_moves)),
            ];
            let cells = cells.into_iter().map(Cell::from);
            let example = scan.examples.first().copied().map(Cell::Fen);
            let example = example.unwrap_or_else(|| Cell::from("-".to_string()));
            let first = std::iter::once(Cell::from(material));
            table.row(first.chain(cells).chain([example]));
        }
    }
    table
}

/// The number of moves that the count leaves after the promotion of the only bia, with the bare
/// king to move. `None` unless Black has a bare king and White exactly one bia.
fn left_after_promotion(material: CanonicalMaterial) -> Option<u32> {
    let men = material.material();
    if !material.is_bare() || material.bia() != 1 {
        return None;
    }
    let army = men.army(Color::White).without(Role::Bia)?.with(Role::Met);
    let after = men.with_army(Color::White, army);
    moves_available(
        RuleSet::Makruk,
        after,
        Color::White,
        Color::Black,
        &Count::Fresh,
    )
}

fn worth(group: &Group) -> Table {
    let mut table = Table::new(
        "What a bia is worth",
        "The share of all positions of makruk that the side with the bia, to move, wins in time with the bia, with a met in its place, and without either. The other men are the same. Sides that win fewer than 100 positions are left out.",
        2,
        &["ending", "side", "with the bia", "promoted", "lost"],
    );
    let wins =
        |scan: &PromotionScan| scan.won.max(scan.promoted.map_or(0, |men| men.won)) >= FEWEST;
    for (material, study) in studies(group) {
        for scan in study.promotions.iter().filter(|scan| wins(scan)) {
            let won = |won: Won| part(won.won, won.legal);
            let cells = [
                army(material, scan.side),
                part(scan.won, scan.legal),
                or_dash(scan.promoted.map(won)),
                or_dash(scan.lost.map(won)),
            ];
            let cells = cells.into_iter().map(Cell::from);
            table.row(std::iter::once(Cell::from(material)).chain(cells));
        }
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

/// The share of positions that the side with the bia wins: with the bia on its third, its fourth
/// and its fifth rank.
pub fn by_rank(scan: &PromotionScan) -> [Share; 3] {
    sums(scan, |_, rank| rank - 2)
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

fn squares(group: &Group) -> Table {
    let mut headings = vec!["ending", "side"];
    headings.extend(FILES);
    headings.extend([
        "rank 3",
        "rank 4",
        "rank 5",
        "king beside it",
        "king 4 steps off",
    ]);
    let mut table = Table::new(
        "Where the bia should stand",
        "The share of positions of makruk that the side with the bia, to move, wins in time: with a bia on these files, with a bia on these ranks, counted from its own side, and with its king next to its nearest bia or four steps away.",
        2,
        &headings,
    );
    for (material, study) in studies(group) {
        for scan in study.promotions.iter().filter(|scan| scan.won >= FEWEST) {
            let mut cells = vec![army(material, scan.side)];
            cells.extend(by_file(scan).map(share));
            cells.extend(by_rank(scan).map(share));
            let steps = [0, 3].map(|steps| scan.king.get(steps));
            cells.extend(steps.map(|won| or_dash(won.map(|won| part(won.won, won.legal)))));
            let cells = cells.into_iter().map(Cell::from);
            table.row(std::iter::once(Cell::from(material)).chain(cells));
        }
    }
    table
}

fn last_bia(group: &Group) -> Table {
    let mut table = Table::new(
        "The weaker side's last bia",
        "Positions of makruk in which the side with the only bia is to move and only the count saves it: if nothing were counted, it would be mated. “can promote”: the share in which the bia can promote at once. “promotion draws”: the share in which promoting at once draws. “only by promoting”: the share in which promoting draws and no other move does. “only by giving it up”: the share in which only a move of the bia to a square where it can be captured draws. The last two columns are from a sample of up to 1,000 positions, so by chance they may not agree with the columns before them.",
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
        for scan in study.last_bia.iter().filter(|scan| scan.held > 0) {
            let cells = [
                army(material, scan.side),
                number(scan.held),
                part(scan.possible, scan.held),
                part(scan.promotion_draws, scan.held),
                sampled(scan.only_promotion, scan.asked, scan.held),
                sampled(scan.only_giving_up, scan.asked, scan.held),
            ];
            let cells = cells.into_iter().map(Cell::from);
            let examples = scan
                .giving_up_examples
                .iter()
                .chain(&scan.promotion_examples);
            let example = examples.copied().map(Cell::Fen).next();
            let example = example.unwrap_or_else(|| Cell::from("-".to_string()));
            let first = std::iter::once(Cell::from(material));
            table.row(first.chain(cells).chain([example]));
        }
    }
    table
}
