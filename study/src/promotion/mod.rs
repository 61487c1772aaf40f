//! Studies promotion in endings with bia: how many wins an immediate promotion throws away, and how
//! many draws the last bia saves.
//!
//! The promotion of the last bia begins the count, so promoting too early can throw a win away. In
//! ASEAN chess, where a bia can promote to any man but the king, the study also compares these men.
//! For each side that can win, the *winner*, the study reads all positions of an ending from its
//! verdict table, 64 squares of the other side's king (the *weaker king*) at a time. The results of
//! promotions come from the verdict tables of the endings that they lead to. Figures that would
//! require probing every legal move of a position come from a sample.

mod after;
mod found;
mod men;
mod moves;
mod sampler;
mod sums;

use rayon::prelude::*;

use self::after::Afters;
pub use self::found::{
    BiaSquare, LastBiaScan, MovesSample, PromotedTo, PromotionScan, PromotionStudy, WaitSample, Won,
};
use self::sampler::Drawn;
use self::sums::{Probes, Sums};
use super::ending::EndingStudy;
use super::scan::Reader;
use sakmak::board::{Color, Fen, Role};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::ProbeError;
use sakmak::rules::RuleSet;
use sakmak::verdict::VerdictBlock;

/// Studies promotion in an ending with bia. Calls `progress` with the fraction done, from 0 to 1.
/// None if the ending has no bia, or if necessary verdict tables of every rule set are missing.
///
/// # Errors
///
/// If a table is corrupt, or a distance table is missing.
pub fn study_promotion(
    material: CanonicalMaterial,
    reader: &Reader,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Option<PromotionStudy>, ProbeError> {
    if material.is_pawnless() {
        return Ok(None);
    }
    let mut study = PromotionStudy::default();
    let rule_sets = reader.tablebase().inventory().rule_sets(material)?;
    let parts = rule_sets.iter().count() as f64;
    for (place, rules) in rule_sets.iter().enumerate() {
        let part = |part: f64| progress((place as f64 + part) / parts);
        if study.add(material, rules, reader, &part)? {
            study.rules.push(rules);
        }
    }
    progress(1.0);
    Ok((!study.rules.is_empty()).then_some(study))
}

impl PromotionStudy {
    /// Adds the results under one rule set. Returns false, and adds nothing, if a necessary verdict
    /// table is missing.
    fn add(
        &mut self,
        material: CanonicalMaterial,
        rules: RuleSet,
        reader: &Reader,
        progress: &(dyn Fn(f64) + Sync),
    ) -> Result<bool, ProbeError> {
        let Some(verdicts) = reader.verdicts(material, rules) else {
            return Ok(false);
        };
        let winners: Vec<Color> = verdicts.winners().collect();
        let mut found = PromotionStudy::default();
        for (place, &winner) in winners.iter().enumerate() {
            let part = |part: f64| progress((place as f64 + part) / winners.len() as f64);
            let Some(afters) = Afters::read(material, winner, rules, reader)? else {
                return Ok(false);
            };
            let blocks = verdicts.blocks(winner).map_or(0, |(_, blocks)| blocks);
            part(0.2);
            // Boxed, since rayon moves the accumulator from block to block.
            let sums = (0..blocks)
                .into_par_iter()
                .try_fold(Box::<(VerdictBlock, Sums)>::default, |mut task, number| {
                    let (block, sums) = &mut *task;
                    sums.add_block(&verdicts, &afters, number, block)?;
                    Ok::<_, ProbeError>(task)
                })
                .map(|part| part.map(|task| task.1))
                .try_reduce(Sums::default, |a, b| Ok(a.merge(b)))?;
            part(0.8);
            let fen = |drawn: &Drawn, turn| fen_of(material, winner, drawn, turn);
            let probes = Probes {
                reader,
                rules,
                winner,
                fen: &fen,
            };
            if !material.army(winner).is_pawnless() {
                let mut scan = sums.promotion(&probes)?;
                [scan.promoted, scan.lost] = without_a_bia(material, winner, rules, reader);
                found.promotions.push(scan);
            }
            let loser_bia = material.army(!winner).count(Role::Bia);
            if loser_bia == 1 && material.bia() == 1 {
                found.last_bia.push(sums.last_bia(&probes)?);
            }
        }
        self.promotions.extend(found.promotions);
        self.last_bia.extend(found.last_bia);
        Ok(true)
    }
}

/// Returns the numbers of positions and of wins in two endings: with a met instead of one bia, and
/// with one bia fewer. Each is None if the ending's table is missing.
fn without_a_bia(
    material: CanonicalMaterial,
    side: Color,
    rules: RuleSet,
    reader: &Reader,
) -> [Option<Won>; 2] {
    let men = material.material();
    let Some(rest) = men.army(side).without(Role::Bia) else {
        return [None; 2];
    };
    [rest.with(Role::Met), rest].map(|army| {
        let (canonical, swapped) = men.with_army(side, army).canonical();
        let turn = if swapped { !side } else { side };
        let ending = EndingStudy::read(reader.tablebase(), canonical).ok()?;
        let results = ending.under(rules)?.overlay.to_move(turn);
        Some(Won {
            legal: ending.mates.to_move(turn).legal(),
            won: results.win,
        })
    })
}

/// The FEN of a sampled position. None if the position is not legal.
fn fen_of(material: CanonicalMaterial, winner: Color, drawn: &Drawn, turn: Color) -> Option<Fen> {
    debug_assert_eq!(drawn.men.material(), material.material());
    let position = drawn.men.position(winner, drawn.kings, turn)?;
    Some(Fen::new(position))
}
