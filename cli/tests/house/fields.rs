//! Every language lists the fields of an answer that the server's description lists.

use serde_json::Value;

use crate::pages::root;

fn text(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).unwrap()
}

/// The part of a text from one line to another.
fn part<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let start = text.find(from).unwrap_or_else(|| panic!("no {from:?}"));
    let rest = &text[start..];
    &rest[..rest.find(to).unwrap_or_else(|| panic!("no {to:?}"))]
}

#[test]
fn every_language_lists_the_fields_of_an_answer() {
    let described: Value = serde_json::from_str(&text("explorer/web/openapi.json")).unwrap();
    let (python, types) = (
        text("python/package/sakmak/documents.py"),
        text("explorer/web/npm/index.d.ts"),
    );
    for (schema, from, to) in [
        ("Count", "class _CountNote(", "# \"for\" is"),
        (
            "Move",
            "_RankedMove = TypedDict(",
            "class _WithoutDistances(",
        ),
        ("Answer", "class _WithoutDistances(", "\nLineMove = "),
    ] {
        let python = part(&python, from, to);
        let types = part(&types, &format!("export interface {schema} {{"), "\n}\n");
        let fields = &described["components"]["schemas"][schema]["properties"];
        for field in fields.as_object().unwrap().keys() {
            let is_in = |text: &str, forms: &[String]| forms.iter().any(|form| text.contains(form));
            let in_python = [
                format!("\n    {field}: "),
                format!("\n        \"{field}\": "),
            ];
            assert!(is_in(python, &in_python), "documents.py: {schema}.{field}");
            let in_types = [format!("\n  {field}: "), format!("\n  {field}?: ")];
            assert!(is_in(types, &in_types), "index.d.ts: {schema}.{field}");
        }
    }
}
