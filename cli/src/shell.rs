//! `sakmak completions` and `sakmak man`, generated from the definition of the command line.

use clap_complete::Shell;

use super::Failure;
use super::output::print;

/// Generate shell completions
#[derive(clap::Args)]
#[command(after_help = "Example:\n  \
sakmak completions bash > ~/.local/share/bash-completion/completions/sakmak")]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Generate a manual page
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
sakmak man > sakmak.1\n  \
sakmak man generate > sakmak-generate.1")]
pub struct ManArgs {
    /// Print the manual page of this command [default: the page of the whole program]
    command: Option<String>,
}

/// Prints the completion script for a shell.
pub fn completions(args: &CompletionsArgs, mut program: clap::Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "sakmak", &mut script);
    print(&String::from_utf8_lossy(&script))
}

/// Prints the manual page of a command.
pub fn man(args: &ManArgs, mut program: clap::Command) -> Result<(), Failure> {
    program.build();
    let command = match &args.command {
        None => program,
        Some(name) => program.find_subcommand(name).cloned().ok_or_else(|| {
            Failure::input(format_args!("there is no command {name:?}"))
                .help("see `sakmak --help` for the commands")
        })?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .map_err(|error| {
            Failure::bug(format_args!("the manual page cannot be written ({error})"))
        })?;
    print(&String::from_utf8_lossy(&page))
}
