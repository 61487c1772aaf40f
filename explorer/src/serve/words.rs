//! The texts of pages made by the server, in all languages. They come from the language files of
//! the explorer's page.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::str::Chars;
use std::sync::LazyLock;

use super::modules::MODULES;

/// The language of pages whose address names no language.
pub(super) const MAIN: &str = "en";

/// The texts of one language.
pub(super) struct Words {
    /// The code of the language, as in the HTML attribute `lang`.
    pub language: &'static str,
    texts: BTreeMap<String, String>,
}

/// The texts of all languages. The first is the main language, for addresses that name no language.
pub(super) static ALL: LazyLock<Vec<Words>> = LazyLock::new(|| {
    let files = MODULES.iter().filter_map(|&(name, text)| {
        let language = name.strip_prefix("words/")?.strip_suffix(".js")?;
        let texts = texts(text);
        Some(Words { language, texts })
    });
    let mut all: Vec<Words> = files.collect();
    all.sort_by_key(|words| (words.language != MAIN, words.language));
    all
});

impl Words {
    /// The texts of the language with this code. None if there is no such language.
    pub(super) fn of(language: &str) -> Option<&'static Words> {
        ALL.iter().find(|words| words.language == language)
    }

    /// The text for a key. If the language has no such text, returns the key itself.
    /// `tools/explorer/words.js` checks that no text is missing.
    pub(super) fn t<'a>(&'a self, key: &'a str) -> &'a str {
        self.texts.get(key).map_or(key, String::as_str)
    }

    /// The words of the text for a key, such as the letters of the files.
    pub(super) fn list<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.t(key).split(' ')
    }

    /// The text for a key, with values filled in.
    pub(super) fn with(&self, key: &str, values: &[(&str, &str)]) -> String {
        let mut text = self.t(key).to_string();
        for (name, value) in values {
            text = text.replace(&format!("{{{name}}}"), value);
        }
        text
    }
}

/// Parses the texts of a language file: `key: "text",` or `"key": "text",`, any number of them in a
/// line.
fn texts(file: &str) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    let object = file.split_once("= {\n").map_or("", |(_, rest)| rest);
    let mut rest = object.chars().peekable();
    let mut key = String::new();
    while let Some(c) = rest.next() {
        match c {
            '}' => break,
            '/' if rest.peek() == Some(&'/') => {
                rest.by_ref().find(|&c| c == '\n');
            }
            '"' => {
                let text = literal(&mut rest);
                match key.strip_suffix(':') {
                    Some(name) => {
                        texts.insert(name.to_string(), text);
                        key.clear();
                    }
                    None => key = text,
                }
            }
            ',' => key.clear(),
            c if c.is_whitespace() => {}
            c => key.push(c),
        }
    }
    texts
}

/// Reads a string up to its closing quote. A backslash stands for the character after it; the
/// language files contain no other escapes.
fn literal(rest: &mut Peekable<Chars<'_>>) -> String {
    let mut text = String::new();
    while let Some(c) = rest.next() {
        match c {
            '"' => break,
            '\\' => text.extend(rest.next()),
            c => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_words_are_read() {
        let file = "// Of it.\nexport const en = {\n  // One.\n  a: \"x, {n} \\\"y\\\": z\",\n  \"b-c\": \"q\", d: \"r\",\n};\n/** No text. */\nconst e = [\"f\"];\n";
        let expected = [("a", "x, {n} \"y\": z"), ("b-c", "q"), ("d", "r")];
        let expected: Vec<_> = expected.map(|(k, t)| (k.to_string(), t.to_string())).into();
        assert_eq!(texts(file).into_iter().collect::<Vec<_>>(), expected);
        let languages: Vec<_> = ALL.iter().map(|words| words.language).collect();
        assert_eq!(languages[0], "en");
        assert!(languages.contains(&"th"));
        let count = |language| Words::of(language).unwrap().texts.len();
        assert!(ALL.iter().all(|words| words.texts.len() == count("en")));
        assert!(count("en") > 200);
        let th = Words::of("th").unwrap();
        assert_eq!(th.with("toMove", &[("side", th.t("white"))]), "ตาขาวเดิน");
        assert_eq!(th.t("nothing"), "nothing");
    }
}
