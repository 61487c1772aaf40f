//! A module uses only modules below it, as listed in `docs/develop/architecture.md`, and no files use
//! each other in a circle, within the packages and across them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::pages::root;
use syn::visit::{self, Visit};

/// The modules, layer by layer, those of other packages with the package's folder. A module may use those of earlier layers, itself, and, on the first
/// layer, its neighbours.
const LAYERS: [&[&str]; 16] = [
    &[
        "board",
        "material",
        "simd",
        "random",
        "rans",
        "remedy",
        "table_kind",
        "atomic_file",
        "regular_file",
        "pages",
        "huge_pages",
        "byte_map",
        "parallel",
    ],
    &["rules", "statistics"],
    &["container", "index", "game"],
    &["solve", "table"],
    &["verdict"],
    &["directory"],
    &["generate", "probe", "published"],
    &["verify"],
    &["play/annotate", "play/find"],
    &["play/uci"],
    &["study", "study/text"],
    &["study/svg"],
    &["study/report"],
    &["explorer"],
    &["explorer/serve"],
    &["cli"],
];

/// The modules that make, verify and study tables. They exist only with the feature `make`.
const MAKE: [&str; 9] = [
    "directory",
    "generate",
    "published",
    "solve",
    "verify",
    "study",
    "study/text",
    "study/svg",
    "study/report",
];

/// The packages: the folder of the sources, the crate's name in other packages, and the first part of
/// its paths, which the library's lack. No package uses the program.
const PACKAGES: [(&str, Option<&str>, &str); 5] = [
    ("src", Some("sakmak"), ""),
    ("play/src", Some("sakmak_play"), "play"),
    ("study/src", Some("sakmak_study"), "study"),
    ("explorer/src", Some("sakmak_explorer"), "explorer"),
    ("cli/src", None, "cli"),
];

/// A path in the packages: `["table", "write", "TableWriter"]`, or `["cli", "probe", "Args"]`.
type CratePath = Vec<String>;

/// A file of a package.
struct File {
    /// The path of its crate.
    crate_path: CratePath,
    /// The path of its module.
    module: CratePath,
    /// The paths that the file's code uses outside tests. Names that it only re-exports by
    /// `pub use` are not among them.
    uses: BTreeSet<CratePath>,
    /// The names that the file re-exports by `pub use`, with their paths.
    passed_on: BTreeMap<String, CratePath>,
    /// The modules that it declares.
    children: Vec<String>,
    /// Its modules that exist only for tests.
    test_modules: Vec<String>,
}

impl File {
    fn read(path: &Path, crate_path: CratePath, module: CratePath) -> File {
        let text = fs::read_to_string(path).unwrap();
        let syntax = syn::parse_file(&text).unwrap();
        let mut file = File {
            crate_path,
            module,
            uses: BTreeSet::new(),
            passed_on: BTreeMap::new(),
            children: syntax.items.iter().filter_map(declared).collect(),
            test_modules: Vec::new(),
        };
        file.visit_file(&syntax);
        file
    }

    /// A path as written here, from the packages' root; none if it leads to another crate.
    fn rooted(&self, path: &[String]) -> Option<CratePath> {
        let (first, mut rest) = path.split_first()?;
        let mut base = match first.as_str() {
            "crate" => self.crate_path.clone(),
            "self" => self.module.clone(),
            "super" => self.module[..self.module.len() - 1].to_vec(),
            // Another package, or `pub use child::Name`.
            name => {
                package_of(name).unwrap_or_else(|| [&self.module[..], &[name.to_string()]].concat())
            }
        };
        while let Some((first, further)) = rest.split_first().filter(|(first, _)| *first == "super")
        {
            debug_assert_eq!(first, "super");
            base.pop();
            rest = further;
        }
        Some([&base[..], rest].concat())
    }
}

/// The name of a module that is declared here but lies in another file.
fn declared(item: &syn::Item) -> Option<String> {
    match item {
        syn::Item::Mod(item) if item.content.is_none() => Some(item.ident.to_string()),
        _ => None,
    }
}

fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    let mut lists = attributes.iter().filter_map(|attribute| {
        let list = attribute.meta.require_list().ok()?;
        list.path.is_ident("cfg").then(|| list.tokens.to_string())
    });
    lists.any(|condition| condition == "test")
}

/// The names that a `use` imports, each with its path.
fn leaves(tree: &syn::UseTree, prefix: &[String], out: &mut Vec<(String, CratePath)>) {
    let longer = |name: &syn::Ident| [prefix, &[name.to_string()]].concat();
    match tree {
        syn::UseTree::Path(path) => leaves(&path.tree, &longer(&path.ident), out),
        syn::UseTree::Name(name) if name.ident == "self" => {
            out.push((prefix.last().cloned().unwrap_or_default(), prefix.to_vec()));
        }
        syn::UseTree::Name(name) => out.push((name.ident.to_string(), longer(&name.ident))),
        syn::UseTree::Rename(rename) => {
            out.push((rename.rename.to_string(), longer(&rename.ident)));
        }
        syn::UseTree::Glob(_) => out.push(("*".to_string(), prefix.to_vec())),
        syn::UseTree::Group(group) => {
            for tree in &group.items {
                leaves(tree, prefix, out);
            }
        }
    }
}

impl Visit<'_> for File {
    fn visit_item_mod(&mut self, item: &syn::ItemMod) {
        if is_for_tests(&item.attrs) {
            self.test_modules.push(item.ident.to_string());
        } else {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &syn::ItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &syn::ItemUse) {
        let mut names = Vec::new();
        leaves(&item.tree, &[], &mut names);
        for (name, path) in names {
            let Some(path) = self.rooted(&path) else {
                continue;
            };
            let is_private = matches!(item.vis, syn::Visibility::Inherited);
            // All modules of a crate see the names that its root imports.
            if !is_private || self.module == self.crate_path {
                self.passed_on.insert(name, path.clone());
            }
            if is_private {
                self.uses.insert(path);
            }
        }
    }

    fn visit_path(&mut self, path: &syn::Path) {
        let names: CratePath = path.segments.iter().map(|s| s.ident.to_string()).collect();
        let first = names[0].as_str();
        let here = ["crate", "self", "super"].contains(&first)
            || package_of(first).is_some()
            || self.children.iter().any(|child| child == first);
        if names.len() > 1 && here {
            self.uses.extend(self.rooted(&names));
        }
        visit::visit_path(self, path);
    }

    /// Macros are not parsed; paths in them that start at the crate are searched for.
    fn visit_macro(&mut self, item: &syn::Macro) {
        let tokens = item.tokens.to_string().replace(" :: ", "::");
        let paths = tokens.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
        for path in paths {
            let names: CratePath = path.split("::").map(str::to_string).collect();
            if names.len() > 1 && (names[0] == "crate" || package_of(&names[0]).is_some()) {
                self.uses.extend(self.rooted(&names));
            }
        }
    }
}

/// The path of the package that other packages know by this name.
fn package_of(name: &str) -> Option<CratePath> {
    let package = PACKAGES.iter().find(|(_, known, _)| *known == Some(name));
    package.map(|(_, _, path)| crate_path(path))
}

fn crate_path(path: &str) -> CratePath {
    let parts = path.split('/').filter(|part| !part.is_empty());
    parts.map(str::to_string).collect()
}

/// The files of the packages that are not tests, by name.
struct Source(BTreeMap<String, File>);

impl Source {
    fn read() -> Source {
        let mut source = Source(BTreeMap::new());
        for (folder, _, package) in PACKAGES {
            let src = root().join(folder);
            for path in rust_files(&src) {
                let name = path.strip_prefix(&src).unwrap().display().to_string();
                let name = name.replace('\\', "/");
                let module = name.trim_end_matches(".rs").trim_end_matches("/mod");
                let package = crate_path(package);
                // The root of a crate has the crate's path.
                let module = match module {
                    "lib" | "main" => package.clone(),
                    module => [&package[..], &crate_path(module)].concat(),
                };
                let name = [&package[..], &[name]].concat().join("/");
                source.0.insert(name, File::read(&path, package, module));
            }
        }
        let tests: Vec<CratePath> = source.0.values().flat_map(File::tests).collect();
        source
            .0
            .retain(|_, file| !tests.iter().any(|test| file.module.starts_with(test)));
        source
    }

    /// The file that defines a path, through all `pub use`.
    fn defined_in(&self, path: &[String]) -> Option<&str> {
        let by_module = |module: &[String]| self.0.iter().find(|(_, f)| f.module == module);
        let (length, (name, file)) = (0..=path.len())
            .rev()
            .find_map(|length| Some((length, by_module(&path[..length])?)))?;
        let item = path.get(length);
        match item.and_then(|item| file.passed_on.get(item)) {
            Some(further) if further != path => self.defined_in(further),
            // The library's root defines nothing.
            _ if file.module.is_empty() => None,
            _ => Some(name),
        }
    }

    /// For each file the files it uses.
    fn uses(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let uses = |file: &File| -> BTreeSet<&str> {
            let files = file.uses.iter().filter_map(|path| self.defined_in(path));
            files.collect()
        };
        let files = self.0.iter();
        files
            .map(|(name, file)| {
                let mut uses = uses(file);
                uses.remove(name.as_str());
                (name.as_str(), uses)
            })
            .collect()
    }
}

impl File {
    fn tests(&self) -> Vec<CratePath> {
        let tests = self.test_modules.iter();
        tests
            .map(|test| [&self.module[..], std::slice::from_ref(test)].concat())
            .collect()
    }
}

pub fn rust_files(path: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The shortest circle of uses through a file, if there is one.
fn circle<'a>(uses: &BTreeMap<&'a str, BTreeSet<&'a str>>, from: &'a str) -> Option<Vec<&'a str>> {
    let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut next = vec![from];
    while !next.is_empty() {
        let mut further = Vec::new();
        for file in next {
            for &used in &uses[file] {
                if used == from {
                    let mut way = vec![from, file];
                    while way.last() != Some(&from) {
                        way.push(came_from[way[way.len() - 1]]);
                    }
                    way.reverse();
                    return Some(way);
                }
                if !came_from.contains_key(used) {
                    came_from.insert(used, file);
                    further.push(used);
                }
            }
        }
        next = further;
    }
    None
}

#[test]
fn no_circles_among_files() {
    let source = Source::read();
    let uses = source.uses();
    let mut circles = BTreeMap::new();
    for &file in uses.keys() {
        if let Some(way) = circle(&uses, file) {
            let files: BTreeSet<&str> = way.iter().copied().collect();
            circles.insert(files, way.join(" -> "));
        }
    }
    let circles: Vec<String> = circles.into_values().collect();
    assert!(circles.is_empty(), "circles:\n{}", circles.join("\n"));
}

/// The innermost module on a layer that has a file, and its layer. The roots of the library and of
/// `sakmak-play`, and `internals.rs`, are on none: they only pass names on.
fn place_of(file: &str) -> Option<(&'static str, usize)> {
    let file = file.trim_end_matches(".rs");
    let layers = LAYERS.iter().enumerate();
    let modules = layers.flat_map(|(layer, modules)| modules.iter().map(move |&m| (m, layer)));
    let modules = modules.filter(|(module, _)| {
        let rest = file.strip_prefix(module);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    modules.max_by_key(|(module, _)| module.len())
}

#[test]
fn modules_use_only_those_below_them() {
    for (name, uses) in Source::read().uses() {
        for other in uses {
            let place = |file| place_of(file).unwrap_or_else(|| panic!("{file} is on no layer"));
            let ((module, own), (used_module, used)) = (place(name), place(other));
            let neighbours = module == used_module || own == 0 && used == 0;
            assert!(neighbours || used < own, "{name} uses {other}");
        }
    }
}

#[test]
fn readers_use_nothing_of_generators() {
    let is_generator = |file| place_of(file).is_some_and(|(module, _)| MAKE.contains(&module));
    let needs_generators = |file| {
        is_generator(file)
            || place_of(file).is_some_and(|(module, _)| ["explorer/serve", "cli"].contains(&module))
    };
    for (name, uses) in Source::read().uses() {
        for other in uses {
            let allowed = needs_generators(name) || !is_generator(other);
            assert!(allowed, "{name} uses {other}");
        }
    }
}
