//! The arguments of `sakmak download`.

use std::num::NonZeroUsize;

use super::address::Address;
use super::key::Key;

/// Download missing tables from a host, each checked against its published hash
///
/// The host is a running `sakmak serve`, or a directory of tables with a manifest.json, which
/// `sakmak manifest` writes; the directory is a local one or on any web server. A SET is an ending
/// with its subendings, or a set such as bare-4, as for `generate`. Tables that are already
/// complete are not downloaded again; run the same command again to resume an interrupted download.
/// A file gets its final name only after its BLAKE3 hash is verified.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
sakmak download bare-5 --from https://tables.example.org/makruk\n  \
sakmak download all-5 --verdicts-only --from http://127.0.0.1:9000\n  \
sakmak download KSMvK --from file:///media/disk/tables --plan\n\n\
Exit codes: 1 a table is not on the host, or not a published one; 2 wrong usage; 3 the host, the network or the \
disk failed.")]
pub struct Args {
    /// Endings: KSMvK, KSPvK, bare-4, all-5, bia-4, or several of them
    #[arg(required = true, value_name = "SET")]
    pub sets: Vec<String>,
    /// Address of the host: http://…, https://… or file://…
    #[arg(long, value_name = "URL")]
    pub from: Address,
    /// Also download verdict tables, for searches
    #[arg(long)]
    pub verdicts: bool,
    /// Download only verdict tables, which are much smaller
    #[arg(long, conflicts_with = "verdicts")]
    pub verdicts_only: bool,
    /// Download only the named endings, without their subendings
    #[arg(long)]
    pub only: bool,
    /// Accept unpublished tables too, checked against the host's manifest
    #[arg(long)]
    pub unpublished: bool,
    /// Require a manifest signed with this minisign key, and accept unpublished tables whose hashes
    /// it lists
    #[arg(long, value_name = "KEY")]
    pub key: Option<Key>,
    /// Files downloaded at once
    #[arg(long, value_name = "N", default_value = "4")]
    pub connections: NonZeroUsize,
    /// List the files to be downloaded, and exit without downloading them
    #[arg(long)]
    pub plan: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}
