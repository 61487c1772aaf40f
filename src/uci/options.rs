//! The options, and what they are set to.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::material::MAX_MEN;
use crate::rules::RuleSet;

/// Which count the tables are asked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CountMode {
    /// That of the game, which runs from the first moment on.
    Auto,
    /// One that begins now.
    Fresh,
    /// None: only mate is asked about.
    Off,
}

/// The most lines that can be asked for.
const MOST_LINES: usize = 500;
/// The largest cache, in MiB.
const MOST_CACHE: usize = 1 << 16;

/// What the options are set to.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// The game; none if the engine is to play one that is not known here.
    pub rules: Option<RuleSet>,
    pub directories: Vec<PathBuf>,
    pub cache_mib: usize,
    pub probe_limit: usize,
    pub count: CountMode,
    pub lines: usize,
    pub show_wdl: bool,
}

/// What setting an option changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The game is another.
    Variant,
    /// The tables are to be opened again.
    Tables,
    /// Nothing that asks for more.
    Small,
    /// It is no option of ours.
    NotOurs,
}

/// The name that UCI has for a rule set.
pub(super) fn variant_name(rules: RuleSet) -> &'static str {
    match rules {
        RuleSet::Makruk => "makruk",
        RuleSet::Asean => "asean",
        RuleSet::Ouk => "cambodian",
    }
}

/// The rule set that a value of `UCI_Variant` names.
pub(super) fn variant(name: &str) -> Option<RuleSet> {
    let name = name.to_ascii_lowercase();
    let mut all = RuleSet::ALL.into_iter();
    all.find(|&rules| variant_name(rules) == name || rules.name() == name)
}

impl Options {
    pub fn new(directories: Vec<PathBuf>) -> Options {
        Options {
            rules: Some(RuleSet::Makruk),
            directories,
            cache_mib: 64,
            probe_limit: MAX_MEN,
            count: CountMode::Auto,
            lines: 1,
            show_wdl: false,
        }
    }

    /// The lines that declare the options which every engine has.
    pub fn common_declarations() -> [String; 4] {
        let variants: String = RuleSet::ALL
            .into_iter()
            .map(|rules| format!(" var {}", variant_name(rules)))
            .collect();
        [
            format!("option name UCI_Variant type combo default makruk{variants}"),
            format!("option name MultiPV type spin default 1 min 1 max {MOST_LINES}"),
            "option name Ponder type check default false".to_string(),
            "option name UCI_ShowWDL type check default false".to_string(),
        ]
    }

    /// The lines that declare the options of the tables.
    pub fn own_declarations(&self) -> [String; 4] {
        let path = std::env::join_paths(&self.directories).unwrap_or_default();
        let path = match path.is_empty() {
            true => "<empty>".into(),
            false => path.to_string_lossy().into_owned(),
        };
        [
            format!("option name SakmakPath type string default {path}"),
            format!("option name SakmakCache type spin default 64 min 1 max {MOST_CACHE}"),
            format!("option name SakmakProbeLimit type spin default {MAX_MEN} min 0 max {MAX_MEN}"),
            "option name SakmakCount type combo default auto var auto var fresh var off"
                .to_string(),
        ]
    }

    /// Sets an option.
    ///
    /// # Errors
    ///
    /// If it is one of ours and the value cannot be, in words.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Change, String> {
        let wrong = |may_be: &str| format!("{name} cannot be {value:?}: give {may_be}");
        let spin = |least: usize, most: usize| {
            let number = value.parse::<usize>().ok();
            number
                .filter(|number| (least..=most).contains(number))
                .ok_or_else(|| wrong(&format!("a number from {least} to {most}")))
        };
        match name.to_ascii_lowercase().as_str() {
            "uci_variant" => {
                self.rules = variant(value);
                match self.rules {
                    Some(_) => Ok(Change::Variant),
                    None => Err(wrong("makruk, asean or cambodian")),
                }
            }
            "multipv" => {
                self.lines = spin(1, MOST_LINES)?;
                Ok(Change::Small)
            }
            "ponder" => Ok(Change::Small),
            "uci_showwdl" => {
                self.show_wdl = value.eq_ignore_ascii_case("true");
                Ok(Change::Small)
            }
            "sakmakpath" => {
                let path = OsString::from(match value {
                    "<empty>" => "",
                    value => value,
                });
                self.directories = std::env::split_paths(&path)
                    .filter(|path| !path.as_os_str().is_empty())
                    .collect();
                Ok(Change::Tables)
            }
            "sakmakcache" => {
                self.cache_mib = spin(1, MOST_CACHE)?;
                Ok(Change::Tables)
            }
            "sakmakprobelimit" => {
                self.probe_limit = spin(0, MAX_MEN)?;
                Ok(Change::Small)
            }
            "sakmakcount" => {
                self.count = match value.to_ascii_lowercase().as_str() {
                    "auto" => CountMode::Auto,
                    "fresh" => CountMode::Fresh,
                    "off" => CountMode::Off,
                    _ => return Err(wrong("auto, fresh or off")),
                };
                Ok(Change::Small)
            }
            _ => Ok(Change::NotOurs),
        }
    }

    /// True if the option is one that only we have, and no engine is told of.
    pub fn is_own(name: &str) -> bool {
        name.to_ascii_lowercase().starts_with("sakmak")
    }
}
