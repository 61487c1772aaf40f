//! Values that documents have as text: positions in makruk's letters, sides and squares.

use std::fmt::{self, Display};

use sakmak::board::{Color, Fen, Lettering, Square};
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

/// A value with a text for documents.
pub trait AsText: Sized {
    fn write(&self, f: &mut fmt::Formatter) -> fmt::Result;
    fn read(text: &str) -> Result<Self, String>;
}

impl AsText for Fen {
    fn write(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.display(Lettering::Makruk).fmt(f)
    }

    fn read(text: &str) -> Result<Fen, String> {
        Fen::parse(text, Lettering::Makruk).map_err(|error| error.to_string())
    }
}

impl AsText for Color {
    fn write(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.fmt(f)
    }

    fn read(text: &str) -> Result<Color, String> {
        let mut all = Color::ALL.into_iter();
        let found = all.find(|color| color.to_string() == text);
        found.ok_or_else(|| format!("{text:?} is no side"))
    }
}

impl AsText for Square {
    fn write(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.fmt(f)
    }

    fn read(text: &str) -> Result<Square, String> {
        text.parse().map_err(|_| format!("{text:?} is no square"))
    }
}

/// The text of a value.
struct Text<T>(T);

impl<T: AsText> Display for Text<&T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f)
    }
}

impl<T: AsText> Serialize for Text<&T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, T: AsText> Deserialize<'de> for Text<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        T::read(&text).map(Text).map_err(D::Error::custom)
    }
}

pub fn serialize<T: AsText, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    Text(value).serialize(serializer)
}

pub fn deserialize<'de, T: AsText, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    Text::deserialize(deserializer).map(|text| text.0)
}

/// The same for a list.
pub mod list {
    use super::{AsText, Deserialize, Deserializer, Serializer, Text};

    pub fn serialize<T: AsText, S: Serializer>(
        values: &[T],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(values.iter().map(Text))
    }

    pub fn deserialize<'de, T: AsText, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<T>, D::Error> {
        let texts: Vec<Text<T>> = Vec::deserialize(deserializer)?;
        Ok(texts.into_iter().map(|text| text.0).collect())
    }
}
