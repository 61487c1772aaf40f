//! The list of a host's tables, read from its manifest.

use std::collections::BTreeMap;
use std::io::Read;

use sakmak::directory::{MANIFEST_NAME, MANIFEST_VERSION};
use sakmak::material::CanonicalMaterial;
use sakmak::rules::RuleSets;
use serde::Deserialize;

use super::address::{Address, Location};
use super::fetch::{Client, Fault};
use super::key::Key;
use crate::Failure;

/// The largest accepted manifest, in bytes. The manifest of all endings of up to six men is a few
/// mebibytes long.
const LONGEST: u64 = 16 << 20;
/// The largest accepted signature, in bytes.
const LONGEST_SIGNATURE: u64 = 64 << 10;

/// The path of the manifest on a host that runs `sakmak serve`.
const SERVED_MANIFEST: &str = "v1/manifest.json";
const SERVED_TABLES: &str = "tables/";

/// The list of a host's tables.
pub struct Listing {
    address: Address,
    /// The path of the tables below the host's address: empty, or a folder with a final slash.
    folder: &'static str,
    tables: BTreeMap<String, Offered>,
    verdict_tables: BTreeMap<String, Offered>,
    /// True if the user gave a key with `--key` and the manifest is signed with it.
    pub signed: bool,
}

/// A host's entry for one table.
#[derive(Clone, Debug, Deserialize)]
pub struct Offered {
    pub bytes: u64,
    /// The BLAKE3 hash of the file, in hexadecimal.
    #[serde(default)]
    pub blake3: Option<String>,
    #[serde(default = "all")]
    pub rule_sets: RuleSets,
}

fn all() -> RuleSets {
    RuleSets::ALL
}

/// The fields of a manifest that a download needs.
#[derive(Deserialize)]
struct Document {
    tables: BTreeMap<String, Offered>,
    #[serde(default)]
    verdict_tables: BTreeMap<String, Offered>,
}

/// The manifest's version. It is parsed first, since later versions may have other fields.
#[derive(Deserialize)]
struct Version {
    version: u32,
}

impl Listing {
    /// Fetches a host's manifest. If a key is given, the manifest must be signed with it.
    pub fn fetch(
        client: &Client,
        address: &Address,
        key: Option<&Key>,
    ) -> Result<Listing, Failure> {
        let (location, folder, bytes) = manifest(client, address)?;
        if let Some(key) = key {
            check_signature(client, &location, &bytes, key)?;
        }
        let wrong = |error: serde_json::Error| {
            Failure::machine(format_args!("{location} is not a manifest of tables ({error})"))
                .help("check the address: it must lead to a directory of tables with a manifest.json, which `sakmak manifest` writes")
        };
        let Version { version } = serde_json::from_slice(&bytes).map_err(wrong)?;
        if version > MANIFEST_VERSION {
            return Err(Failure::machine(format_args!(
                "{location} has version {version}, but this sakmak reads version {MANIFEST_VERSION}"
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

    /// The address of the host.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// The host's entry for an ending's distance table.
    pub fn table(&self, material: CanonicalMaterial) -> Option<&Offered> {
        self.tables.get(&material.to_string())
    }

    /// The host's entry for an ending's verdict table.
    pub fn verdict_table(&self, material: CanonicalMaterial) -> Option<&Offered> {
        self.verdict_tables.get(&material.to_string())
    }

    /// The location of a file on the host.
    pub fn location(&self, file: &str) -> Location {
        self.address.file(&format!("{}{file}", self.folder))
    }
}

/// Fetches the manifest of a directory of tables or, if there is none, the manifest that `sakmak
/// serve` sends. Returns the location of the manifest, the folder of the tables, and the bytes of
/// the manifest.
fn manifest(
    client: &Client,
    address: &Address,
) -> Result<(Location, &'static str, Vec<u8>), Failure> {
    let location = address.file(MANIFEST_NAME);
    match read(client, &location, LONGEST) {
        Ok(bytes) => return Ok((location, "", bytes)),
        Err(Fault::Missing(_)) => {}
        Err(fault) => return Err(fault.failure(&location)),
    }
    let served = address.file(SERVED_MANIFEST);
    match read(client, &served, LONGEST) {
        Ok(bytes) => Ok((served, SERVED_TABLES, bytes)),
        Err(Fault::Missing(_)) => Err(Failure::no(format_args!(
            "there is neither {MANIFEST_NAME} nor {SERVED_MANIFEST} at {address}"
        ))
        .help("check the address: it must lead to a directory of tables with a manifest.json (`sakmak manifest` writes one), or to a running `sakmak serve`")),
        Err(fault) => Err(fault.failure(&served)),
    }
}

/// Rejects a manifest that is not signed with this key.
fn check_signature(
    client: &Client,
    location: &Location,
    manifest: &[u8],
    key: &Key,
) -> Result<(), Failure> {
    let signature = location.with_suffix(".minisig");
    let help =
        "check the address and the key, or omit --key if the host does not sign its manifest";
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
        .map_err(|why| Failure::machine(format_args!("{signature} is rejected: {why}")).help(help))
}

/// Fetches a small file completely.
fn read(client: &Client, location: &Location, longest: u64) -> Result<Vec<u8>, Fault> {
    let arriving = client.open(location, 0)?;
    let too_long = || Fault::Permanent(format!("the file has more than {longest} bytes"));
    if arriving.total.is_some_and(|total| total > longest) {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    let read = arriving.reader.take(longest + 1).read_to_end(&mut bytes);
    read.map_err(|error| Fault::Temporary(error.to_string()))?;
    match bytes.len() as u64 > longest {
        true => Err(too_long()),
        false => Ok(bytes),
    }
}
