//! Checks that a header describes a whole table: that the sections are those that the ending and
//! the rule sets need, and that the fields of the header agree with one another.
//!
//! A checksum shows that a header has not changed since it was written, not that its content makes
//! sense: anybody can write a header with a good checksum. A probe relies on the facts checked
//! here.

use super::code::Code;
use super::header::{Header, Metric, Packing, SectionHeader, rule_sets_answered};
use super::symbol_rank::over_base::for_white;
use crate::board::Color;
use crate::container::bytes::Parsed;
use crate::index::Layout;
use crate::material::CanonicalMaterial;
use crate::rules::RuleSet;
use crate::statistics::{Counts, Example};

/// Fails unless the header is that of a whole table of its material and its rule sets, in a file of
/// this format version.
pub(super) fn check(header: &Header, version: u32) -> Parsed<()> {
    if version != header.version() {
        return Err("its format version is not that of tables with these sections");
    }
    if header.rules != rule_sets_answered(header.material, header.rules) {
        return Err("it lacks a rule set that needs no section");
    }
    check_metrics(header)?;
    for section in &header.sections {
        check_numbering(header, section)?;
        check_codes(header, section)?;
    }
    check_totals(header)?;
    header
        .sections
        .iter()
        .try_for_each(|section| check_statistics(header, section))
}

/// Checks that there is a section for each metric that needs one, for every side to move that has
/// any section, and that there are no other sections.
fn check_metrics(header: &Header) -> Parsed<()> {
    let Header {
        material, rules, ..
    } = *header;
    let metrics = || Metric::all_of(material, rules);
    let has = |metric, side| find(header, metric, side).count();
    for side in Color::ALL {
        let mut sections = header.sections.iter();
        if side == Color::Black && !sections.any(|section| section.info.side == side) {
            continue;
        }
        for metric in metrics() {
            match has(metric, side) {
                0 if !needs_section(metric, material) => {}
                0 => return Err(missing(metric, material)),
                1 => {}
                _ => return Err("it has two sections of the same metric"),
            }
        }
    }
    let asked_for = |section: &SectionHeader| metrics().any(|m| m == section.info.metric);
    match header.sections.iter().all(asked_for) {
        true => Ok(()),
        false => Err("it has a section that its ending does not need"),
    }
}

/// The sections of a metric with this side to move.
fn find(header: &Header, metric: Metric, side: Color) -> impl Iterator<Item = &SectionHeader> {
    let of =
        move |section: &&SectionHeader| section.info.metric == metric && section.info.side == side;
    header.sections.iter().filter(of)
}

/// True if every table that has results for this metric has a section for it. Other metrics have
/// none if their values are those of their base.
fn needs_section(metric: Metric, material: CanonicalMaterial) -> bool {
    match metric.base(material) {
        None => true,
        // The plies of late captures.
        Some(base) => base == Metric::Dtm,
    }
}

fn missing(metric: Metric, material: CanonicalMaterial) -> &'static str {
    match metric {
        Metric::Dtm => "it has no distances to mate",
        Metric::Dth(RuleSet::Asean) if !material.is_pawnless() => {
            "it has no distances to honor under the rules of ASEAN chess"
        }
        Metric::Dth(RuleSet::Asean) if material.is_bare() => "it has no plies of late captures",
        Metric::Dth(_) => "it has no distances to honor under makruk's rules",
    }
}

/// Checks that the order of the men is one of this material, and gives as many cells as there are.
fn check_numbering(header: &Header, section: &SectionHeader) -> Parsed<()> {
    let info = &section.info;
    let layout = Layout::from_bytes(header.material, info.symmetry, &info.order);
    match layout.is_ok_and(|layout| layout.cells() == section.cells) {
        true => Ok(()),
        false => Err("its order of men does not fit its material"),
    }
}

/// Checks that no cell can refer to a missing base.
fn check_codes(header: &Header, section: &SectionHeader) -> Parsed<()> {
    let has_base = section.packing != Packing::RankingOverBase
        && section.info.metric.base(header.material).is_some();
    match !has_base && section.info.codes.contains(&Code::Base) {
        true => Err("a section refers to a base that it does not have"),
        false => Ok(()),
    }
}

/// Checks that the statistics of all sections count the same positions, and not more than there can
/// be. So sums of them do not overflow.
fn check_totals(header: &Header) -> Parsed<()> {
    let mut expected = None;
    for section in &header.sections {
        // Symmetry maps at most eight positions of the board to one cell.
        let most = section.cells.saturating_mul(8);
        let mut found = [0; 2];
        for (found, turn) in found.iter_mut().zip(Color::ALL) {
            let counts = section.info.statistics.to_move(turn);
            *found = total(counts)
                .filter(|&total| total <= most)
                .ok_or("its statistics count more positions than there are")?;
        }
        if *expected.get_or_insert(found) != found {
            return Err("its statistics count different numbers of positions");
        }
    }
    let of = |metric| {
        header
            .sections
            .iter()
            .filter(move |s| s.info.metric == metric)
    };
    for section in &header.sections {
        let metric = section.info.metric;
        let fewer_than = [
            (metric != Metric::Dtm).then_some(Metric::Dtm),
            // Ouk's counts leave one move fewer. With bia its distances may be longer than makruk's
            // limits: they include the moves after the last bia is gone.
            (metric == Metric::Dth(RuleSet::Ouk) && header.material.is_pawnless())
                .then_some(Metric::Dth(RuleSet::Makruk)),
        ];
        for other in fewer_than.into_iter().flatten().flat_map(of) {
            let more = |(turn, winner): (Color, Color)| {
                let wins = |s: &SectionHeader| {
                    let wins = s.info.statistics.to_move(turn).wins(winner);
                    wins.iter().sum::<u64>()
                };
                wins(section) > wins(other)
            };
            let [white, black] = Color::ALL;
            if [
                (white, white),
                (white, black),
                (black, white),
                (black, black),
            ]
            .into_iter()
            .any(more)
            {
                return Err("its statistics count wins that are none without a count");
            }
        }
    }
    Ok(())
}

/// The number of positions. `None` if it overflows.
fn total(counts: &Counts) -> Option<u64> {
    let mut wins = counts.white_wins.iter().chain(&counts.black_wins);
    wins.try_fold(counts.draws, |sum, &wins| sum.checked_add(wins))
}

/// Checks that a section's statistics have the form that the writer gives them. If they count any
/// positions, checks also that they agree with the codes.
fn check_statistics(header: &Header, section: &SectionHeader) -> Parsed<()> {
    let (material, info) = (header.material, &section.info);
    for turn in Color::ALL {
        let counts = info.statistics.to_move(turn);
        for winner in Color::ALL {
            let (wins, examples) = (counts.wins(winner), counts.examples(winner));
            let unfit = |example: &Example| example.squares().len() != material.men();
            if examples.len() > wins.len() || examples.iter().flatten().any(unfit) {
                return Err("an example of its statistics is not a position of its ending");
            }
            if material.army(winner).is_empty() && wins.iter().any(|&wins| wins > 0) {
                return Err("its statistics count wins of a bare king");
            }
        }
    }
    match total(info.statistics.to_move(info.side)) {
        Some(0) => Ok(()),
        _ => check_lengths(header, section),
    }
}

/// Checks that the codes are in the writer's order, that none is longer than the longest win of the
/// ending, and that every win that the statistics count has a code in the section or in its base.
fn check_lengths(header: &Header, section: &SectionHeader) -> Parsed<()> {
    let differ = Err("its statistics do not match its codes");
    let (material, info) = (header.material, &section.info);
    let plies = info.metric.counts_plies(material);
    let in_moves = |code: Code, plies: bool| {
        let (winner, length) = code.win()?;
        let moves = match plies {
            true => (usize::from(length) + usize::from(winner == info.side)) / 2,
            false => length.into(),
        };
        Some((winner, moves))
    };
    // Codes of a plain section may also be in the order of its steps. Those of two bytes may be in
    // any order.
    let plain = section.packing == Packing::Plain;
    let in_order = info.codes.is_sorted_by(|&a, &b| for_white(a, b).is_lt())
        || plain && (info.codes.len() > 256 || info.codes.is_sorted_by(|a, b| place(a) < place(b)));
    if !in_order {
        return Err("the codes of a section are not in order");
    }
    let longest = Color::ALL.map(|winner| {
        let statistics = header
            .sections
            .iter()
            .map(|section| &section.info.statistics);
        let lists =
            statistics.flat_map(|all| Color::ALL.map(|turn| all.to_move(turn).wins(winner)));
        lists.map(<[u64]>::len).max().unwrap_or(0)
    });
    let counts = info.statistics.to_move(info.side);
    let has_base = info.codes.contains(&Code::Base);
    let base = info.metric.base(material).filter(|_| has_base);
    let bases = base
        .into_iter()
        .flat_map(|base| find(header, base, info.side));
    let base = bases.flat_map(|base| base.info.codes.iter().map(|&code| in_moves(code, false)));
    let own = info.codes.iter().map(|&code| in_moves(code, plies));
    let mut listed = longest.map(|longest| vec![false; longest]);
    for (winner, moves) in own.clone().chain(base).flatten() {
        match listed[winner.index()].get_mut(moves) {
            Some(listed) => *listed = true,
            None => return differ,
        }
    }
    if own.flatten().any(|won| won == (info.side, 0)) {
        return Err("a side to move wins in no moves");
    }
    let unlisted = |winner: Color| {
        let wins = counts.wins(winner).iter().zip(&listed[winner.index()]);
        wins.into_iter().any(|(&wins, &listed)| wins > 0 && !listed)
    };
    let draws = has_base || counts.draws == 0 || info.codes.contains(&Code::Draw);
    match draws && !Color::ALL.into_iter().any(unlisted) {
        true => Ok(()),
        false => differ,
    }
}

/// The order of the codes in a plain section.
fn place(code: &Code) -> (u8, u16) {
    match *code {
        Code::Base => (0, 0),
        Code::Draw => (1, 0),
        Code::WhiteWins(moves) => (2, moves),
        Code::BlackWins(moves) => (3, moves),
    }
}
