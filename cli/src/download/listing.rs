//! The list of a host's tables, read from its manifest.

use std::collections::BTreeMap;
use std::io::Read;

use sakmak::directory::{MANIFEST_NAME, MANIFEST_VERSION};
use sakmak::material::CanonicalMaterial;
use sakmak::rules::RuleSets;
use sakmak::table::TableKind;
use serde::Deserialize;
use serde_json::Value;

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
    /// The host's entries, by kind and ending.
    tables: BTreeMap<(TableKind, CanonicalMaterial), Offered>,
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
        let tables = tables(&bytes).map_err(wrong)?;
        Ok(Listing {
            address: address.clone(),
            folder,
            tables,
            signed: key.is_some(),
        })
    }

    /// The address of the host.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// The host's entry for an ending's table of this kind.
    pub fn table(&self, kind: TableKind, material: CanonicalMaterial) -> Option<&Offered> {
        self.tables.get(&(kind, material))
    }

    /// The location of a file on the host.
    pub fn location(&self, file: &str) -> Location {
        self.address.file(&format!("{}{file}", self.folder))
    }
}

/// The tables in a manifest, which must list distance tables.
fn tables(
    manifest: &[u8],
) -> serde_json::Result<BTreeMap<(TableKind, CanonicalMaterial), Offered>> {
    let mut fields: BTreeMap<String, Value> = serde_json::from_slice(manifest)?;
    let mut tables = BTreeMap::new();
    for kind in TableKind::ALL {
        let list: BTreeMap<String, Offered> = match fields.remove(kind.list()) {
            Some(list) => serde_json::from_value(list)?,
            None if kind == TableKind::Distances => {
                return Err(serde::de::Error::missing_field(kind.list()));
            }
            None => continue,
        };
        // The program knows no endings of other names.
        let known = list
            .into_iter()
            .filter_map(|(name, table)| Some(((kind, name.parse().ok()?), table)));
        tables.extend(known);
    }
    Ok(tables)
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
