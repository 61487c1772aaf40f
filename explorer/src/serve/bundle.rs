//! Bundles the page's modules into one script, which a browser loads in one round trip instead of
//! several in a row.
//!
//! Each module becomes a function that is called once and returns its exports, and each import
//! becomes a constant. This works because the page's modules import by name, export their
//! declarations, and have no circular imports. Comments and indentation are removed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Bundles the module `root` and everything it imports into one script. `modules` are the names and
/// texts of all modules.
///
/// # Panics
///
/// If a module is missing, or imports are circular. The modules are built in, and a test bundles
/// them.
pub(super) fn bundle<'a>(
    modules: impl IntoIterator<Item = (&'a str, &'a str)>,
    root: &str,
) -> String {
    let mut bundler = Bundler {
        modules: modules.into_iter().collect(),
        begun: Vec::new(),
        done: Vec::new(),
        script: String::new(),
    };
    bundler.add(root);
    bundler.script
}

struct Bundler<'a> {
    modules: BTreeMap<&'a str, &'a str>,
    /// The modules whose imports are being added. Each is added right after its imports.
    begun: Vec<String>,
    done: Vec<String>,
    script: String,
}

impl Bundler<'_> {
    /// Adds the imports of a module, then the module.
    fn add(&mut self, name: &str) {
        if self.done.iter().any(|done| done == name) {
            return;
        }
        assert!(
            !self.begun.iter().any(|begun| begun == name),
            "{name} imports itself through {:?}",
            self.begun
        );
        let text = *self
            .modules
            .get(name)
            .unwrap_or_else(|| panic!("there is no module {name}"));
        self.begun.push(name.to_string());
        let mut body = String::with_capacity(text.len());
        let mut exports = Vec::new();
        let mut comment = false;
        for line in text.lines() {
            let words = line.trim_start();
            comment = comment || words.starts_with("/**");
            if comment || words.starts_with("//") || words.is_empty() {
                comment = comment && !words.contains("*/");
            } else if let Some(rest) = line.strip_prefix("import ") {
                let (what, from) = imported(rest);
                self.add(from);
                body += &constants(what, from);
            } else if let Some(declared) = line.strip_prefix("export ") {
                exports.push(declared_name(declared));
                body += declared;
                body.push('\n');
            } else {
                body += words;
                body.push('\n');
            }
        }
        let _ = write!(
            self.script,
            "const {} = (() => {{\n{body}return {{ {} }};\n}})();\n",
            variable(name),
            exports.join(", ")
        );
        self.begun.pop();
        self.done.push(name.to_string());
    }
}

/// Splits the rest of an import line such as `{ a, b } from "./x.js";` into the imported names and
/// the name of the module.
fn imported(rest: &str) -> (&str, &str) {
    let (what, from) = rest.split_once(" from ").unwrap_or(("", rest));
    (what, from.trim_matches(['"', ';', '.', '/']))
}

/// The declarations of constants that replace an import.
fn constants(what: &str, from: &str) -> String {
    let module = variable(from);
    match what.strip_prefix("* as ") {
        _ if what.is_empty() => String::new(),
        Some(name) => format!("const {name} = {module};\n"),
        None => format!("const {} = {module};\n", what.replace(" as ", ": ")),
    }
}

/// The name that a declaration declares.
fn declared_name(declared: &str) -> &str {
    let kinds = ["const ", "async function ", "function ", "class "];
    let name = kinds.iter().find_map(|kind| declared.strip_prefix(kind));
    let name = name.unwrap_or_else(|| panic!("unknown kind of declaration: {declared:?}"));
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
    &name[..end.unwrap_or(name.len())]
}

/// The name of the variable for a module's exports.
fn variable(module: &str) -> String {
    let name = module.trim_end_matches(".js");
    format!("${}", name.replace(|c: char| !c.is_alphanumeric(), "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_follow_those_they_import() {
        let modules = [
            (
                "app.js",
                "// Begins.\nimport { one, two as zwei } from \"./b.js\";\nimport * as c from \"./c.js\";\nrun(one, zwei, c);\n",
            ),
            (
                "b.js",
                "import { x } from \"./c.js\";\n/** Of it\n * all. */\nexport const one = x;\nexport function two() {}\n",
            ),
            ("c.js", "export class x {\n  y() {}\n}\n"),
        ];
        let expected = "const $c = (() => {\nclass x {\ny() {}\n}\nreturn { x };\n})();\n\
            const $b = (() => {\nconst { x } = $c;\nconst one = x;\nfunction two() {}\nreturn { one, two };\n})();\n\
            const $app = (() => {\nconst { one, two: zwei } = $b;\nconst c = $c;\nrun(one, zwei, c);\nreturn {  };\n})();\n";
        assert_eq!(bundle(modules, "app.js"), expected);
    }

    #[test]
    #[should_panic(expected = "imports itself")]
    fn circles_are_refused() {
        let modules = [
            ("a.js", "import { b } from \"./b.js\";\n"),
            ("b.js", "import { a } from \"./a.js\";\n"),
        ];
        bundle(modules, "a.js");
    }
}
