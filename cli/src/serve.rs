//! `sakmak serve`: the explorer and its API over HTTP.

use std::net::SocketAddr;

use sakmak::table::TableKind;
use sakmak_explorer::serve::{Limits, Listener, Log, Patience, Server};

use super::format::counted;
use super::stderr::say;
use super::table_kind::noun;
use super::{Common, Failure};

/// Serve the explorer and its HTTP API
///
/// Open the printed address in a browser. /openapi.json describes the API. Programs written for the
/// tablebase server of Lichess (lila-tablebase) also work with this server: give them the printed
/// address.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
sakmak serve\n  \
sakmak serve --bind 0.0.0.0:80 --rate 20\n  \
curl \"http://127.0.0.1:9000/makruk?fen=8/8/8/3k4/8/3K4/2SM4/8_w\"")]
pub struct Args {
    /// Address and port to listen on; the default can be reached only from this machine
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:9000", value_parser = address)]
    bind: SocketAddr,
    /// Largest number of long answers (lines, all counts, batches) that are computed at the same
    /// time
    #[arg(long, value_name = "NUMBER", default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..))]
    most_at_once: u16,
    /// Largest number of searches, annotated files and random positions that run or wait at the same
    /// time; half of them may come from one client address [default: 4 per processor]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    most_searches: Option<u16>,
    /// Requests per second allowed from one client address [default: no limit]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    rate: Option<u32>,
    /// Log no requests
    #[arg(long)]
    no_log: bool,
}

/// The command is listed in the help.
pub const HIDDEN: bool = false;

/// Runs the command.
pub fn run(args: &Args, common: &Common) -> Result<(), Failure> {
    let directories = common.directories()?;
    let tablebase = common.open_tables_by_blocks()?;
    if tablebase.inventory().is_empty() {
        let names: Vec<_> = directories
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        let fact = format!("there are no tables in {}", names.join(" or "));
        return Err(Failure::no(fact).generate("bare-4"));
    }
    let inventory = tablebase.inventory();
    let of_kind = |kind| match inventory.materials_of(kind).len() {
        0 => None,
        tables => Some(counted(tables as u64, noun(kind))),
    };
    let tables: Vec<String> = TableKind::ALL.into_iter().filter_map(of_kind).collect();
    let tables = tables.join(" and ");
    let machine = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::WouldBlock => Failure::threads(error),
        _ => Failure::machine(format_args!("the server cannot be started ({error})"))
            .help("close other programs, or try again"),
    };
    let mut limits = Limits {
        most_at_once: args.most_at_once.into(),
        rate: args.rate,
        ..Limits::default()
    };
    if let Some(most) = args.most_searches {
        limits.most_searches = most.into();
        limits.most_searches_per_client = most.div_ceil(2).into();
    }
    let log = match args.no_log || common.quiet {
        true => Log::none(),
        false => Log::standard_error().map_err(Failure::threads)?,
    };
    let listener = Listener::bind(args.bind).map_err(|error| {
        let address = args.bind;
        Failure::machine(format_args!("cannot listen on {address} ({error})")).help(format_args!(
            "choose another address with --bind, for instance {}:0 for any free port",
            address.ip()
        ))
    })?;
    let address = listener.address().map_err(machine)?;
    let server = Server::new(tablebase, limits, log).map_err(Failure::threads)?;
    let stop = async {
        // Signals are handled before the address is printed, so that none is missed afterwards.
        let stop = stopped()?;
        if !common.quiet {
            say(format!(
                "sakmak: {tables} on http://{address}/ (stop with Ctrl-C)"
            ));
        }
        stop.await;
        Ok(())
    };
    listener
        .serve(server, Patience::default(), stop)
        .map_err(machine)
}

/// Parses an address to listen on.
fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        "give an IP address and a port, for instance 127.0.0.1:9000 or 0.0.0.0:80".to_string()
    })
}

/// Returns a future that completes when a signal asks the program to stop.
#[cfg(unix)]
fn stopped() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Returns a future that completes when a signal asks the program to stop.
#[cfg(not(unix))]
fn stopped() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        let _ = tokio::signal::ctrl_c().await;
    })
}
