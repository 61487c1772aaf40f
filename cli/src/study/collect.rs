//! Collects the figures of a report from the tables' headers, from study.json and from new scans.

use std::collections::BTreeSet;

use rayon::prelude::*;
use sakmak::directory::{DistanceSummary, TableHashes};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::{ProbeError, Tablebase};
use sakmak::rules::RuleSet;
use sakmak::table::TableKind;
use sakmak_study::report::{Ending, Missing, Report};
use sakmak_study::{
    EndingStudy, Findings, MAX_SCANNED_MEN, Reader, Record, RecordLine, StudyCache,
    hardest_count_draws, records, scan, study_promotion,
};

use super::args::Args;
use crate::format::counted;
use crate::progress::Bar;
use crate::{Common, Failure};

/// Collects the report. Also returns the failure to report at the end, for an unusable table or, if
/// there is none, for missing tables.
pub fn collect(
    materials: &BTreeSet<CanonicalMaterial>,
    tablebase: &Tablebase,
    args: &Args,
    common: &Common,
) -> Result<(Report, Option<Failure>), Failure> {
    let mut report = Report {
        endings: Vec::new(),
        missing: Vec::new(),
        rules: match args.rules {
            Some(rules) => vec![rules],
            None => RuleSet::ALL.to_vec(),
        },
        rules_option: |rules| format!("--rules {rules}"),
    };
    let mut failure = None;
    for &material in materials {
        let asked = args.rules.map_or(Ok(()), |rules| {
            tablebase.inventory().require(material, rules)
        });
        match asked.and_then(|()| EndingStudy::read(tablebase, material)) {
            Ok(study) => report.endings.push(Ending {
                study,
                findings: None,
            }),
            Err(error) => leave_out(&mut report, material, error, &mut failure),
        }
    }
    if report.endings.is_empty() {
        return Err(failure.unwrap_or_else(|| match report.missing.first() {
            Some(missing) => Failure::no(&missing.why).generate(&missing.material),
            None => Failure::no("there are no tables to study").generate("bare-4"),
        }));
    }
    add_scans(&mut report, tablebase, args, common, &mut failure)?;
    let failure = failure.or_else(|| incomplete(&report));
    Ok((report, failure))
}

/// The failure for endings that are left out of the report. `None` if no ending is left out.
fn incomplete(report: &Report) -> Option<Failure> {
    let names: Vec<&str> = report.missing.iter().map(|m| m.material.as_str()).collect();
    (!names.is_empty()).then(|| {
        let endings = counted(names.len() as u64, "ending");
        Failure::no(format_args!("{endings} skipped: tables missing")).generate(names.join(" "))
    })
}

fn leave_out(
    report: &mut Report,
    material: CanonicalMaterial,
    error: ProbeError,
    failure: &mut Option<Failure>,
) {
    report.missing.push(Missing {
        material: material.to_string(),
        why: error.to_string(),
    });
    if !error.is_missing() {
        failure.get_or_insert(error.into());
    }
}

/// Adds the results of each ending's scan. Scans the endings that have no results in study.json.
fn add_scans(
    report: &mut Report,
    tablebase: &Tablebase,
    args: &Args,
    common: &Common,
    failure: &mut Option<Failure>,
) -> Result<(), Failure> {
    let bar = Bar::new(common);
    let directories = common.directories()?;
    let mut cache = StudyCache::default();
    let mut could_save = true;
    for directory in &directories {
        if let Err(error) = cache.load(directory) {
            could_save &= *directory != directories[0] || !error.keeps_file();
            bar.line(&format!("sakmak: {error}"));
        }
    }
    let reader = Reader::new(tablebase);
    let mut hashes = TableHashes::default();
    let size = |ending: &Ending| {
        let path = tablebase.inventory().path(ending.material());
        let bytes = path.and_then(|path| std::fs::metadata(path).ok());
        bytes.map_or(1.0, |data| data.len() as f64)
    };
    let all: f64 = report.endings.iter().map(size).sum();
    let mut before = 0.0;
    let mut missing = Vec::new();
    for ending in &mut report.endings {
        let material = ending.material();
        let weight = size(ending);
        bar.say(format!("{material}: looking at positions"));
        let hash = hashes.of::<DistanceSummary>(&*tablebase.inventory().table(material)?)?;
        // An entry stored before the verdict tables existed lacks the results on promotion.
        let kept = cache
            .get(&hash)
            .filter(|found| args.no_scan || has_promotions(found, material, tablebase));
        match kept {
            Some(findings) => ending.findings = Some(findings.clone()),
            None if args.no_scan || material.men() > MAX_SCANNED_MEN => {}
            None => {
                let at = |part: f64| bar.at((before + part * weight) / all);
                match find(&ending.study, &reader, &at) {
                    Ok(findings) => {
                        cache.insert(hash, findings.clone());
                        ending.findings = Some(findings);
                        if could_save && let Err(error) = cache.save(&directories[0]) {
                            bar.line(&format!("sakmak: {error}"));
                            could_save = false;
                        }
                    }
                    Err(error) => missing.push((material, error)),
                }
            }
        }
        before += weight;
        bar.at(before / all);
    }
    for (material, error) in missing {
        leave_out(report, material, error, failure);
    }
    Ok(())
}

/// True if the results on promotion are complete: those of all rule sets for which an ending with
/// bia has a verdict table.
fn has_promotions(found: &Findings, material: CanonicalMaterial, tablebase: &Tablebase) -> bool {
    let studied = found.promotion.as_ref();
    let is_studied = |rules| studied.is_some_and(|study| study.rules.contains(&rules));
    let (kind, inventory) = (TableKind::Verdicts, tablebase.inventory());
    let lacks_verdicts = |rules| inventory.path_under(kind, material, rules).is_none();
    let mut rule_sets = RuleSet::ALL.into_iter();
    material.is_pawnless() || rule_sets.all(|rules| is_studied(rules) || lacks_verdicts(rules))
}

/// Scans an ending, and returns the results for study.json.
fn find(
    study: &EndingStudy,
    reader: &Reader,
    progress: &(dyn Fn(f64) + Sync),
) -> Result<Findings, ProbeError> {
    let material = study.material;
    let part = |part| progress(0.7 * part);
    let scan = reader.with_replacements(|| scan(material, reader, &part))?;
    let promotion = reader.with_replacements(|| study_promotion(material, reader, &part))?;
    let late = scan.as_ref().map_or(&[][..], |scan| &scan.late);
    let tablebase = reader.tablebase();
    let count_draws = reader.with_replacements(|| hardest_count_draws(study, reader))?;
    let play = |record: Record| RecordLine::play(tablebase, record);
    let lines: Result<Vec<_>, ProbeError> = records(study, late, &count_draws)
        .into_par_iter()
        .map(play)
        .collect();
    Ok(Findings {
        material: material.to_string(),
        scan,
        promotion,
        count_draws,
        lines: lines?,
    })
}
