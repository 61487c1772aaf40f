//! The UCI options and their values.

use std::ffi::OsString;
use std::path::PathBuf;

use sakmak::material::MAX_MEN;
use sakmak::rules::RuleSet;

/// The count under which positions are probed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CountMode {
    /// The count of the game, which is followed from the game's first position.
    Auto,
    /// A count that begins with the current position.
    Fresh,
    /// No count at all: only mate matters.
    Off,
}

/// The largest value of the option `MultiPV`, the number of lines to send.
const MOST_LINES: usize = 500;
/// The maximum size of the cache, in MiB.
const MOST_CACHE: usize = 1 << 16;

/// The current values of the options.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// The rule set of the game. None if this program does not support the game.
    pub rules: Option<RuleSet>,
    pub directories: Vec<PathBuf>,
    pub cache_mib: usize,
    pub probe_limit: usize,
    pub count: CountMode,
    pub lines: usize,
    pub show_wdl: bool,
}

/// The consequence of setting an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The rule set of the game has changed.
    Variant,
    /// The tables must be opened again.
    Tables,
    /// No further action is needed.
    Small,
    /// The option is one of the engine's.
    NotOurs,
}

/// The name of a rule set in UCI.
pub(super) fn variant_name(rules: RuleSet) -> &'static str {
    let names = rules.names();
    names[names.len() - 1]
}

/// The rule set for a value of `UCI_Variant`. None if the value is unknown.
pub(super) fn variant(name: &str) -> Option<RuleSet> {
    let name = name.to_ascii_lowercase();
    let mut all = RuleSet::ALL.into_iter();
    all.find(|rules| rules.names().contains(&&*name))
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

    /// The declarations of the options that every engine has.
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

    /// The declarations of the options that concern the tables.
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
    /// If the value is invalid for an option of this program. The error value is a message for the
    /// user.
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
                    None => {
                        let [first @ .., last] = RuleSet::ALL.map(variant_name);
                        Err(wrong(&format!("{} or {last}", first.join(", "))))
                    }
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

    /// True for an option of this program that is never passed to an engine.
    pub fn is_own(name: &str) -> bool {
        name.to_ascii_lowercase().starts_with("sakmak")
    }
}
