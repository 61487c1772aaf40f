//! The manifest of a host: its tables.

use std::collections::BTreeMap;
use std::io::Read;

use sakmak::directory::{MANIFEST_NAME, MANIFEST_VERSION};
use sakmak::material::CanonicalMaterial;
use sakmak::rules::RuleSets;
use serde::Deserialize;

use super::address::{Address, Place};
use super::fetch::{Client, Fault};
use super::key::Key;
use crate::cli::Failure;

/// The most bytes of a manifest: of all endings it has a few million.
const LONGEST: u64 = 256 << 20;
/// The most bytes of a signature.
const LONGEST_SIGNATURE: u64 = 64 << 10;

/// Where `sakmak serve` has its manifest, and its tables.
const SERVED_MANIFEST: &str = "v1/manifest.json";
const SERVED_TABLES: &str = "tables/";

/// The tables of a host.
pub struct Listing {
    address: Address,
    /// The folder of the files, with its slash.
    folder: &'static str,
    tables: BTreeMap<String, Offered>,
    verdict_tables: BTreeMap<String, Offered>,
    /// Whether the manifest is signed with the key asked for.
    pub signed: bool,
}

/// A host's entry of one table.
#[derive(Clone, Debug, Deserialize)]
pub struct Offered {
    pub bytes: u64,
    /// In hexadecimal.
    #[serde(default)]
    pub blake3: Option<String>,
    #[serde(default = "all")]
    pub rule_sets: RuleSets,
}

fn all() -> RuleSets {
    RuleSets::ALL
}

/// A manifest, as far as it is needed here.
#[derive(Deserialize)]
struct Document {
    tables: BTreeMap<String, Offered>,
    #[serde(default)]
    verdict_tables: BTreeMap<String, Offered>,
}

/// Read first, since the rest of a later version may be different.
#[derive(Deserialize)]
struct Version {
    version: u32,
}

impl Listing {
    /// Fetches the manifest of a host, which has to be signed if there is a key.
    pub fn fetch(
        client: &Client,
        address: &Address,
        key: Option<&Key>,
    ) -> Result<Listing, Failure> {
        let (place, folder, bytes) = manifest(client, address)?;
        if let Some(key) = key {
            check_signature(client, &place, &bytes, key)?;
        }
        let wrong = |error: serde_json::Error| {
            Failure::machine(format_args!("{place} is no manifest of tables ({error})"))
                .help("check the address: a directory of tables with the manifest that `sakmak manifest` writes")
        };
        let Version { version } = serde_json::from_slice(&bytes).map_err(wrong)?;
        if version > MANIFEST_VERSION {
            return Err(Failure::machine(format_args!(
                "{place} has version {version}, but this sakmak reads version {MANIFEST_VERSION}"
            ))
            .help("update sakmak"));
        }
        let document: Document = serde_json::from_slice(&bytes).map_err(wrong)?;
        Ok(Listing {
            address: address.clone(),
            folder,
            tables: document.tables,
            verdict_tables: document.verdict_tables,
            signed: key.is_some(),
        })
    }

    /// The host.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// The distance table of an ending.
    pub fn table(&self, material: CanonicalMaterial) -> Option<&Offered> {
        self.tables.get(&material.to_string())
    }

    /// The verdict table of an ending.
    pub fn verdict_table(&self, material: CanonicalMaterial) -> Option<&Offered> {
        self.verdict_tables.get(&material.to_string())
    }

    /// Where a file is.
    pub fn place(&self, file: &str) -> Place {
        self.address.file(&format!("{}{file}", self.folder))
    }
}

/// The manifest of a directory of tables, or else of `sakmak serve`, and the folder of the files.
fn manifest(client: &Client, address: &Address) -> Result<(Place, &'static str, Vec<u8>), Failure> {
    let place = address.file(MANIFEST_NAME);
    match read(client, &place, LONGEST) {
        Ok(bytes) => return Ok((place, "", bytes)),
        Err(Fault::Missing(_)) => {}
        Err(fault) => return Err(fault.failure(&place)),
    }
    let served = address.file(SERVED_MANIFEST);
    match read(client, &served, LONGEST) {
        Ok(bytes) => Ok((served, SERVED_TABLES, bytes)),
        Err(Fault::Missing(_)) => Err(Failure::no(format_args!(
            "there is neither {MANIFEST_NAME} nor {SERVED_MANIFEST} at {address}"
        ))
        .help("check the address: a directory of tables with the manifest that `sakmak manifest` writes, or a `sakmak serve`")),
        Err(fault) => Err(fault.failure(&served)),
    }
}

/// Refuses a manifest without a signature of this key.
fn check_signature(
    client: &Client,
    place: &Place,
    manifest: &[u8],
    key: &Key,
) -> Result<(), Failure> {
    let signature = place.and(".minisig");
    let help = "check the address and the key, or leave --key out if the host signs nothing";
    let bytes = match read(client, &signature, LONGEST_SIGNATURE) {
        Ok(bytes) => bytes,
        Err(Fault::Missing(why)) => {
            let fact = format_args!("the manifest is not signed: {signature} is missing ({why})");
            return Err(Failure::machine(fact).help(help));
        }
        Err(fault) => return Err(fault.failure(&signature)),
    };
    let text = String::from_utf8_lossy(&bytes);
    key.check(manifest, &text)
        .map_err(|why| Failure::machine(format_args!("{signature} does not fit: {why}")).help(help))
}

/// A small file whole.
fn read(client: &Client, place: &Place, longest: u64) -> Result<Vec<u8>, Fault> {
    let arriving = client.open(place, 0)?;
    let mut bytes = Vec::new();
    let read = arriving.reader.take(longest + 1).read_to_end(&mut bytes);
    read.map_err(|error| Fault::Passing(error.to_string()))?;
    if bytes.len() as u64 > longest {
        return Err(Fault::Lasting(format!("it has more than {longest} bytes")));
    }
    Ok(bytes)
}
