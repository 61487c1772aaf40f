//! The arguments of `sakmak study`.

use std::path::PathBuf;

use clap::ValueEnum;
use clap::builder::PossibleValue;
use sakmak::rules::RuleSet;
use sakmak_study::report::Format;

use crate::Failure;
use crate::rules_help::rules_help;
use crate::set_args::SetArgs;

/// Show which endings can be won inside the count, side by side
///
/// For each ending, rule set and side to move, the report shows the share of positions won on the
/// board, won inside the count, drawn by the count, and drawn. It also shows the longest win, the
/// longest win inside the count and the shortest win that exceeds the count, and findings from a
/// scan of all positions. The first scan of an ending takes some seconds; its results are kept in
/// study.json beside the tables.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
sakmak study bare-4\n  \
sakmak study KNSMvK --rules makruk\n  \
sakmak study all-5 --out report.html --pgn records.pgn\n  \
sakmak study all-4 --format csv --out study.csv")]
pub struct Args {
    #[command(flatten)]
    pub sets: SetArgs,
    /// Format of the report [default: by the extension of --out, otherwise text]
    #[arg(long, value_enum)]
    pub format: Option<FormatArg>,
    /// Print one JSON document: the same as --format json
    #[arg(long, conflicts_with = "format")]
    pub json: bool,
    /// Write the report to this file
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write best play from the longest wins to this file, as a PGN with the count in comments
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    #[arg(long, value_name = "RULES", help = rules_help("Show only this rule set, and for ASEAN chess its endings with bia"))]
    pub rules: Option<RuleSet>,
    /// Do not scan; use only the results of earlier scans in study.json
    #[arg(long)]
    pub no_scan: bool,
    /// Link each position on the HTML page to the explorer at this address
    #[arg(long, value_name = "URL")]
    pub explorer: Option<String>,
}

/// A format as the command line names it.
#[derive(Clone, Copy, Debug)]
pub struct FormatArg(Format);

impl ValueEnum for FormatArg {
    fn value_variants<'a>() -> &'a [FormatArg] {
        const ALL: [FormatArg; Format::ALL.len()] = {
            let mut all = [FormatArg(Format::Text); Format::ALL.len()];
            let mut i = 0;
            while i < all.len() {
                all[i] = FormatArg(Format::ALL[i]);
                i += 1;
            }
            all
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self.0 {
            Format::Text => "Tables for the terminal",
            Format::Md => "Markdown",
            Format::Csv => "One line for each ending, rule set, winner and side to move",
            Format::Json => "One JSON document",
            Format::Html => "One page with boards and charts that loads nothing from the network",
        };
        Some(PossibleValue::new(self.0.name()).help(help))
    }
}

impl Args {
    /// The requested format of the report. It must agree with the file's extension.
    pub fn format(&self) -> Result<Format, Failure> {
        let asked = self.format.map(|format| format.0);
        let asked = asked.or(self.json.then_some(Format::Json));
        let file = self.out.as_deref().and_then(Format::of_file);
        let format = match (asked, file) {
            (Some(asked), Some(file)) if asked != file => {
                let path = self.out.as_deref().unwrap_or_else(|| "".as_ref());
                return Err(Failure::input(format_args!(
                    "--format {} does not fit a file named {}",
                    asked.name(),
                    path.display()
                ))
                .help("leave out --format, or give the file another name"));
            }
            (asked, file) => asked.or(file).unwrap_or(Format::Text),
        };
        match &self.explorer {
            Some(_) if format != Format::Html => {
                Err(Failure::input("--explorer is for reports in HTML")
                    .help("give --format html or --out report.html as well"))
            }
            _ => Ok(format),
        }
    }
}
