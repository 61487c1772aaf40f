//! The JavaScript modules of the page, compiled into the program.

macro_rules! modules {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../web/js/", $name)))),*]
    };
}

/// The modules of the page: names and texts.
pub(super) const MODULES: &[(&str, &str)] = modules![
    "account.js",
    "api.js",
    "app.js",
    "board.js",
    "browser.js",
    "controls.js",
    "count.js",
    "dom.js",
    "editor.js",
    "ending.js",
    "example.js",
    "fen.js",
    "fens.js",
    "game.js",
    "games.js",
    "histogram.js",
    "keys.js",
    "legend.js",
    "lesson.js",
    "line.js",
    "margin.js",
    "men.js",
    "modes.js",
    "moves.js",
    "notation.js",
    "page.js",
    "parts.js",
    "player.js",
    "practice.js",
    "problem.js",
    "promotion.js",
    "puzzles.js",
    "reading.js",
    "source.js",
    "store.js",
    "strip.js",
    "terms.js",
    "trainer.js",
    "training.js",
    "verdict.js",
    "words.js",
    "words/en.js",
    "words/th.js",
];
