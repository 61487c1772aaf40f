//! The contents of a directory of tables after a run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value as Json;

/// The names in a directory, without the lock that a run leaves. None if it does not exist.
pub fn names(directory: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(directory) else {
        return Vec::new();
    };
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "generate.lock")
        .collect();
    names.sort();
    names
}

/// The manifest of a directory without the files' stamps.
pub fn manifest(directory: &Path) -> BTreeMap<String, Json> {
    let text = fs::read(directory.join("manifest.json")).unwrap();
    let mut manifest: BTreeMap<String, Json> = serde_json::from_slice(&text).unwrap();
    for kind in ["tables", "verdict_tables"] {
        let Some(entries) = manifest.get_mut(kind).and_then(Json::as_object_mut) else {
            continue;
        };
        for entry in entries.values_mut() {
            let stamp = entry.as_object_mut().unwrap().remove("stamp");
            assert!(stamp.is_some());
        }
    }
    manifest
}
