//! Every language lists the rule sets of `RuleSet::ALL`, and no others.

use sakmak::rules::RuleSet;
use serde_json::Value;

use crate::pages::root;

fn quoted(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| format!("{name:?}")).collect()
}

/// The names that a list of alternatives in JSON has, for each list with makruk.
fn alternatives(document: &Value, found: &mut Vec<Value>) {
    match document {
        Value::Object(fields) => {
            let names = fields.get("enum").filter(|names| {
                let names = names.as_array().unwrap();
                names.contains(&"makruk".into())
            });
            found.extend(names.cloned());
            fields.values().for_each(|field| alternatives(field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| alternatives(item, found)),
        _ => {}
    }
}

#[test]
fn every_language_lists_the_rule_sets() {
    let names = RuleSet::ALL.map(RuleSet::name);
    let others = RuleSet::ALL.iter().flat_map(|rules| &rules.names()[1..]);
    let all: Vec<&str> = names.iter().chain(others).copied().collect();
    let (listed, with_others) = (quoted(&names).join(", "), quoted(&all).join(", "));
    for (file, line) in [
        (
            "python/package/sakmak/documents.py",
            format!("\nRules = Literal[{listed}]\nRulesName = Literal[{with_others}]\n"),
        ),
        (
            "explorer/web/npm/index.d.ts",
            format!("\nexport type Rules = {};\n", quoted(&names).join(" | ")),
        ),
        (
            "explorer/web/js/fen.js",
            format!("\nexport const RULES = [{listed}];\n"),
        ),
    ] {
        let text = std::fs::read_to_string(root().join(file)).unwrap();
        assert!(text.contains(&line), "{file} lacks {line:?}");
    }
    for file in ["capi/include/sakmak.h", "capi/single/sakmak_probe.h"] {
        let header = std::fs::read_to_string(root().join(file)).unwrap();
        for rules in RuleSet::ALL {
            let (name, id) = (rules.name().to_uppercase(), rules.id());
            let line = format!("  SAKMAK_RULES_{name} = {id},\n");
            assert!(header.contains(&line), "{file} lacks {line:?}");
        }
        assert_eq!(header.matches("  SAKMAK_RULES_").count(), names.len());
    }
}

/// The places that have something of each rule set: a name, a colour, or the variant of an engine.
#[test]
fn every_rule_set_has_its_words_colours_and_variant() {
    for rules in RuleSet::ALL {
        let (name, variant) = (rules.name(), rules.names().last().unwrap());
        for (file, part) in [
            ("explorer/web/js/words/en.js", format!("\n  {name}: ")),
            ("explorer/web/js/words/th.js", format!("\n  {name}: ")),
            ("explorer/web/js/game.js", format!("{name}: \"")),
            ("explorer/web/js/fen.js", format!("\n  {name}: \"")),
            (
                "study/src/report/export/html/style.css",
                format!(".ln.{name} "),
            ),
            (
                "study/src/report/export/html/style.css",
                format!(".c.{name} "),
            ),
            ("tools/variants.js", format!("{name}: \"{variant}\"")),
            (
                "tools/annotate/annotate.js",
                format!("[\"{name}\", \"{variant}\", "),
            ),
        ] {
            let text = std::fs::read_to_string(root().join(file)).unwrap();
            assert!(text.contains(&part), "{file} lacks {part:?}");
        }
    }
}

#[test]
fn the_description_of_the_server_lists_the_rule_sets() {
    let text = std::fs::read_to_string(root().join("explorer/web/openapi.json")).unwrap();
    let mut lists = Vec::new();
    alternatives(&serde_json::from_str(&text).unwrap(), &mut lists);
    assert!(lists.len() > 5, "{}", lists.len());
    for list in lists {
        assert_eq!(list, Value::from(RuleSet::ALL.map(RuleSet::name).to_vec()));
    }
}
