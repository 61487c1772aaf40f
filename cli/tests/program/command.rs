//! The program as every test starts it, independently of the environment.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The path of the program.
pub fn path() -> PathBuf {
    PathBuf::from(env!("CARGO_BIN_EXE_sakmak"))
}

/// The program.
pub fn program() -> Command {
    isolated(Command::new(path()))
}

/// The program with this directory of tables.
pub fn program_with(tables: &Path) -> Command {
    let mut command = program();
    command.arg("--tables").arg(tables);
    command
}

/// A command that inherits nothing that could change its behaviour: no settings of sakmak, of a
/// batch system or of a terminal, no input, and no ignored signal, which `nohup` and shells without
/// job control leave.
pub fn isolated(mut command: Command) -> Command {
    let ours = ["SAKMAK_", "SLURM_"];
    let known = ["COLUMNS", "LINES", "TERM", "NO_COLOR", "CLICOLOR_FORCE"];
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        if ours.iter().any(|start| text.starts_with(start)) || known.contains(&&*text) {
            command.env_remove(&name);
        }
    }
    command.stdin(Stdio::null());
    #[cfg(unix)]
    heeding_signals(&mut command);
    command
}

/// Gives every signal its default action in the started program.
#[cfg(unix)]
fn heeding_signals(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    let default = || {
        for signal in [
            libc::SIGHUP,
            libc::SIGINT,
            libc::SIGQUIT,
            libc::SIGTERM,
            libc::SIGXFSZ,
        ] {
            // SAFETY: the call only changes how the new process handles a signal.
            unsafe { libc::signal(signal, libc::SIG_DFL) };
        }
        Ok(())
    };
    // SAFETY: between fork and exec the closure only calls `signal`, which is allowed there.
    unsafe { command.pre_exec(default) };
}
