//! The contents of a report.

use std::collections::BTreeMap;

use crate::{EndingStudy, Findings, PromotionStudy, RECORD_RULES, Row, RulesStudy, Scan};
use sakmak::board::Color;
use sakmak::material::CanonicalMaterial;
use sakmak::rules::RuleSet;
use serde::Serialize;

/// The endings that were studied, and the endings that could not be studied.
pub struct Report {
    /// The endings of the report, sorted by material.
    pub endings: Vec<Ending>,
    /// The endings left out, with reasons.
    pub missing: Vec<Missing>,
    /// The rule sets that the report shows.
    pub rules: Vec<RuleSet>,
    /// The program's option that chooses a rule set, for commands in the report.
    pub rules_option: RulesOption,
}

/// Writes the option that chooses a rule set.
pub type RulesOption = fn(RuleSet) -> String;

/// One ending of the report.
pub struct Ending {
    /// The figures from the header of the ending's table.
    pub study: EndingStudy,
    /// The results of scans, and best play from the record positions. `None` without scans.
    pub findings: Option<Findings>,
}

/// An ending that could not be studied.
#[derive(Serialize)]
pub struct Missing {
    /// The name of the ending.
    pub material: String,
    /// The reason why the ending could not be studied, as a sentence without a full stop.
    pub why: String,
}

/// The endings with the same number of men. The endings with three and with four men form one
/// group.
pub struct Group<'a> {
    /// The heading of the group.
    pub title: String,
    /// The endings in the group.
    pub endings: Vec<&'a Ending>,
    /// The rule sets that the report shows.
    pub rules: &'a [RuleSet],
}

impl Report {
    /// Divides the endings into groups by the number of men: three or four, five, six and so on.
    pub fn groups(&self) -> Vec<Group<'_>> {
        const WORDS: [&str; 5] = ["three and four", "five", "six", "seven", "eight"];
        let place = |ending: &Ending| ending.material().men().saturating_sub(4);
        let group = |(i, words): (usize, &&str)| Group {
            title: format!("Endings of {words} men"),
            endings: self.endings.iter().filter(|e| place(e) == i).collect(),
            rules: &self.rules,
        };
        let groups = WORDS.iter().enumerate().map(group);
        groups.filter(|group| !group.endings.is_empty()).collect()
    }

    /// Returns a single group with all endings.
    pub fn all(&self) -> Group<'_> {
        Group {
            title: String::new(),
            endings: self.endings.iter().collect(),
            rules: &self.rules,
        }
    }

    /// The ending with these men, if it is in the report.
    pub fn find(&self, material: CanonicalMaterial) -> Option<&Ending> {
        self.endings.iter().find(|e| e.material() == material)
    }

    /// Lists in sentences the endings that were left out, in whole or in part.
    pub fn missing_in_words(&self) -> String {
        let lines = self.missing.iter().map(|Missing { material, why }| {
            let mut names = self.endings.iter().map(|e| e.material().to_string());
            match names.any(|name| name == *material) {
                true => format!("The scan of {material} is left out: {why}.\n"),
                false => format!("{material} is left out: {why}.\n"),
            }
        });
        let mut text: String = lines.collect();
        let mut by_rules: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for ending in self.endings.iter().filter(|ending| self.lacks(ending)) {
            let of_rules = by_rules.entry(ending.study.found.to_string()).or_default();
            of_rules.push(ending.material().to_string());
        }
        for (rules, names) in by_rules {
            let names = names.join(" ");
            text += &format!("The tables of {names} have results for {rules} only.\n");
        }
        text
    }

    /// True if any ending is left out, in whole or in part.
    pub fn has_gaps(&self) -> bool {
        !self.missing.is_empty() || self.endings.iter().any(|ending| self.lacks(ending))
    }

    /// True if an ending's table lacks a rule set that the report shows and that is possible for
    /// the ending.
    fn lacks(&self, ending: &Ending) -> bool {
        let mut missing = ending.study.found.lacking(ending.material().material());
        missing.any(|rules| self.rules.contains(&rules))
    }
}

impl Ending {
    /// The material of the ending.
    pub fn material(&self) -> CanonicalMaterial {
        self.study.material
    }

    /// The ending's figures under makruk.
    pub fn makruk(&self) -> Option<&RulesStudy> {
        self.study.under(RECORD_RULES)
    }

    /// The figures for White's wins under a rule set, with White to move.
    pub fn white(&self, rules: RuleSet) -> Option<&Row> {
        self.study.under(rules)?.row(Color::White, true)
    }

    /// The results of scanning every position, if there was a scan.
    pub fn scan(&self) -> Option<&Scan> {
        self.findings.as_ref()?.scan.as_ref()
    }

    /// The results on promotion, if the ending has bia.
    pub fn promotion(&self) -> Option<&PromotionStudy> {
        self.findings.as_ref()?.promotion.as_ref()
    }

    /// The ending's rows for the rule sets that the report shows.
    pub fn rows(&self, rules: &[RuleSet]) -> impl Iterator<Item = &Row> {
        let shown = rules.iter().filter_map(|&set| self.study.under(set));
        shown.flat_map(|rules| &rules.rows)
    }
}
