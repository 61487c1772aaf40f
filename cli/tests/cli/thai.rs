//! Real games in the notation of Thailand's federation: as Fairy-Stockfish writes it
//! (`tests/data/thai`), and as the federation's rules do, long and short, with either digits.

use std::fs;

use sakmak::board::{Move, Role, Square};
use sakmak::game::GameBoard;
use sakmak::game::pgn::Games;
use sakmak::probe::Tablebase;
use sakmak_play::annotate::{AnnotateOptions, Annotation, annotate};

use crate::annotate::annotate as run_annotate;

const GAMES: [&str; 3] = [
    "schemingmind-737440",
    "schemingmind-335959",
    "pgn/playok/mk87922182",
];

/// The only game of a text, played through without tables.
fn game(text: &str) -> Annotation {
    let games: Vec<_> = Games::new(text.as_bytes()).collect();
    let [Ok(game)] = <[_; 1]>::try_from(games).unwrap() else {
        panic!("{text}");
    };
    annotate(&Tablebase::new(), game, &AnnotateOptions::default()).unwrap()
}

/// A real game in Latin letters.
fn latin(name: &str) -> Annotation {
    game(&fs::read_to_string(format!("../tests/data/{name}.pgn")).unwrap())
}

fn moves(game: &Annotation) -> Vec<Move> {
    assert_eq!(game.stop, None);
    game.plies.iter().map(|ply| ply.m).collect()
}

/// A text with the digits that begin with `zero`.
fn digits(text: &str, zero: char) -> String {
    let digit = |c: char| match c.to_digit(10) {
        Some(digit) => char::from_u32(u32::from(zero) + digit).unwrap(),
        None => c,
    };
    text.chars().map(digit).collect()
}

/// A square in Thai letters.
fn square(square: Square) -> String {
    let files = ['ก', 'ข', 'ค', 'ง', 'จ', 'ฉ', 'ช', 'ญ'];
    format!("{}{}", files[usize::from(square.file())], square.rank() + 1)
}

/// A move as the federation writes it: `มข1-ง2`, or short `มง2`, with the square of departure if
/// another man of the kind could go there too.
fn federation(board: &GameBoard, m: Move, long: bool) -> String {
    let letter = |at| match board.position().man_at(at).unwrap().1 {
        _ if board.promoted().contains(at) => "ง",
        Role::King => "ข",
        Role::Rook => "ร",
        Role::Knight => "ม",
        Role::Khon => "ค",
        Role::Met => "ม็",
        Role::Bia => "บ",
    };
    let man = letter(m.from);
    let mut moves = board.legal_moves().into_iter();
    let another =
        moves.any(|other| other.to == m.to && other.from != m.from && letter(other.from) == man);
    let mut text = man.to_string();
    let takes = board.is_capture(m);
    if long || another {
        text += &square(m.from);
        text += if takes { "" } else { "-" };
    }
    text += if takes { "X" } else { "" };
    text += &square(m.to);
    text + if m.promotion.is_some() { "=ง" } else { "" }
}

#[test]
fn games_that_fairy_stockfish_wrote_in_thai_are_read_to_their_end() {
    for name in GAMES {
        let played = moves(&latin(name));
        let file = name.rsplit('/').next().unwrap();
        for notation in ["san", "lan"] {
            let text = fs::read_to_string(format!("../tests/data/thai/{file}-{notation}.txt"));
            assert_eq!(moves(&game(&text.unwrap())), played, "{file} {notation}");
        }
    }
}

#[test]
fn games_in_the_notation_of_the_federation_are_read_to_their_end() {
    for name in GAMES {
        let original = latin(name);
        for (zero, long) in [('0', true), ('0', false), ('๐', true), ('๐', false)] {
            let mut text = String::new();
            for (ply, played) in original.plies.iter().enumerate() {
                if ply % 2 == 0 {
                    text += &format!("{}. ", ply / 2 + 1);
                }
                let board = &original.moments[ply].state.board;
                text += &format!("{} ", federation(board, played.m, long));
            }
            let text = digits(&(text + "0.5-0.5"), zero);
            let read = game(&text);
            assert_eq!(read.game.result(), "1/2-1/2");
            assert_eq!(moves(&read), moves(&original), "{name} {long}: {text}");
        }
    }
}

#[test]
fn a_thai_game_is_annotated_with_latin_letters() {
    let text = "[FEN \"8/8/8/3k4/8/3K4/3R4/8 w - - 0 1\"]\n\n๑. รก2 ขค5 ๒. รก๒-ก๑ 0.5-0.5\n";
    let run = run_annotate(text.as_bytes(), &["--line", "0"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let words = run.out.replace('\n', " ");
    for part in ["1. Ra2", "Kc5", "2. Ra1", "[Result \"1/2-1/2\"]"] {
        assert!(words.contains(part), "{part}: {words}");
    }
}
