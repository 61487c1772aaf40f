//! Writes an answer that has a category but no distances, in prose.

use sakmak::board::Color;
use sakmak::probe::CategoryAnswer;
use sakmak::rules::Category;

use super::count::{capital, count_in_words};
use super::format::Columns;
use super::remedy::advice;
use super::tables_args::TablesArgs;

/// Formats the answer as sentences, with a table of the moves.
pub fn text(answer: &CategoryAnswer, tables: &TablesArgs) -> String {
    let position = &answer.fen.position;
    let lettering = answer.rules.lettering();
    let turn = position.turn();
    let mut text = format!(
        "{}, {turn} to move, {}\n{}\n",
        position.material(),
        answer.rules,
        verdict(answer)
    );
    if let Some(allowance) = answer.allowance {
        text += &count_in_words(&allowance, winner(answer));
    }
    if let Some(note) = answer.note() {
        text += &format!("note: {note}\n");
    }
    text += &format!("no distances: {}", answer.missing);
    if let Some(remedy) = answer.missing.remedy() {
        text += &format!("; {}", advice(&remedy, tables));
    }
    text += "\n";
    if !answer.moves.is_empty() {
        let heading = format!("moves for {turn}");
        let mut columns = Columns::new(3, &[&heading]);
        for found in &answer.moves {
            columns.row([
                format!("  {}", position.san(found.m, lettering)),
                found.m.uci(lettering).to_string(),
                category(found.bounds),
            ]);
        }
        text += &format!("\n{columns}");
    }
    text
}

/// The winning side, whose moves the count limits.
fn winner(answer: &CategoryAnswer) -> Color {
    let position = &answer.fen.position;
    let with_men = || position.material().bare_side().map(|bare| !bare);
    let winner = answer.winner().or_else(with_men);
    winner.unwrap_or(position.turn())
}

fn verdict(answer: &CategoryAnswer) -> String {
    let position = &answer.fen.position;
    if position.is_checkmate() {
        return format!("loss: {} is checkmated", capital(position.turn()));
    }
    if position.is_stalemate() {
        return "draw: stalemate".to_string();
    }
    if answer.insufficient_material {
        return "draw: no mate is possible with these men".to_string();
    }
    let winner = capital(winner(answer));
    let [least, most] = answer.bounds;
    let category = category(answer.bounds);
    match least {
        _ if least != most => format!(
            "{category}: {winner} can force mate; only the distance table can show whether the count leaves enough moves"
        ),
        Category::Draw => "draw: neither side can force mate".to_string(),
        Category::Win | Category::Loss => format!("{category}: {winner} mates in time"),
        Category::CursedWin | Category::BlessedLoss => {
            format!("{category}: {winner} can force mate, but the count ends first: count draw")
        }
    }
}

/// The name of the category. If the tables cannot decide between two categories, the names of both.
fn category([least, most]: [Category; 2]) -> String {
    match least == most {
        true => least.to_string(),
        false => format!("{most} or {least}"),
    }
}
