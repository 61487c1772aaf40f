//! One ending: its numbers, boards and charts.

use sakmak::board::Color;
use sakmak::probe::Line;
use sakmak::rules::RuleSet;
use sakmak::study::{RECORD_RULES, RecordLine, RulesStudy, SideStudy, records};

use super::badge;
use crate::cli::pgn;
use crate::cli::study::Ending;
use crate::cli::study::sections::{in_time, moves, name, share, short};
use crate::cli::study::svg::{Curve, Histogram, Mark, board, escape, glyph, heat};
use crate::cli::text::number;

/// From this share on, in hundredths, a side's wins get charts of their own.
const WORTH_A_CHART: f64 = 0.1;

/// The name of the place of a record's line in the page.
pub fn anchor(ending: &Ending, winner: Color, what: &str) -> String {
    format!("{}-{winner}-{what}", ending.study.material)
}

/// True if the page has a line in this place.
pub fn has_line(ending: &Ending, id: &str) -> bool {
    lines(ending).any(|line| line_anchor(ending, line) == id)
}

fn lines(ending: &Ending) -> impl Iterator<Item = &RecordLine> {
    ending.findings.iter().flat_map(|found| &found.lines)
}

fn winner(line: &RecordLine) -> Color {
    match line.record.white_wins {
        true => Color::White,
        false => Color::Black,
    }
}

fn line_anchor(ending: &Ending, line: &RecordLine) -> String {
    let what = line.record.kind.words().replace(' ', "-");
    anchor(ending, winner(line), &what)
}

/// The section of an ending.
pub fn section(ending: &Ending, rules: &[RuleSet]) -> String {
    let material = ending.study.material;
    let men = |color: Color| -> String {
        let men = std::iter::once(sakmak::board::Role::King).chain(material.army(color).men());
        men.map(|role| glyph(role, color)).collect()
    };
    let makruk = ending.study.under(RECORD_RULES);
    // The word of each side whose wins are more than oddities, and White's in any case.
    let sides = makruk.map_or(&[][..], |rules| &rules.sides);
    let badges: String = sides
        .iter()
        .filter(|side| side.winner == Color::White || worth(side))
        .map(|side| match side.winner {
            Color::White => badge(side),
            Color::Black => format!(" <i>{}</i> {}", material.army(side.winner), badge(side)),
        })
        .collect();
    let mut text = format!(
        "<article id=\"{material}\"><h3>{material} <span class=\"army\">{} <i>against</i> {}</span> {badges}</h3>\n",
        men(Color::White),
        men(Color::Black)
    );
    text += &numbers(ending, rules);
    let figures: String = match &ending.findings {
        Some(found) => found
            .lines
            .iter()
            .map(|line| figure(ending, line))
            .collect(),
        // Without a look at every position there are the boards, but no lines.
        None => records(&ending.study, &[])
            .into_iter()
            .map(|record| {
                let line = RecordLine {
                    record,
                    line: Vec::new(),
                    end: String::new(),
                };
                figure(ending, &line)
            })
            .collect(),
    };
    let heat = king_squares(ending);
    if !figures.is_empty() || !heat.is_empty() {
        text += &format!("<div class=\"boards\">{figures}{heat}</div>\n");
    }
    if let Some(makruk) = makruk {
        for side in makruk.sides.iter().filter(|side| worth(side)) {
            text += &charts(ending, makruk, side);
        }
    }
    text + "</article>\n"
}

/// True if a side's wins are more than oddities.
fn worth(side: &SideStudy) -> bool {
    let turn = &side.to_move;
    turn.share(turn.won).percent() >= WORTH_A_CHART
}

/// The numbers, under each rule set.
fn numbers(ending: &Ending, rules: &[RuleSet]) -> String {
    let material = ending.study.material;
    let mut text = "<div class=\"scroll\"><table><thead><tr><th class=\"l\">rules</th><th class=\"l\">wins</th><th class=\"l\">to move</th><th>moves</th><th>longest</th><th>fits</th><th>misses</th><th>won</th><th>in time</th><th>count draws</th><th>drawn</th><th>lost</th></tr></thead><tbody>\n".to_string();
    for &set in rules {
        let Some(study) = ending.study.under(set) else {
            continue;
        };
        for side in &study.sides {
            for color in [side.winner, !side.winner] {
                let turn = side.turn(color);
                let available = turn
                    .moves_available
                    .map_or("-".to_string(), |n| n.to_string());
                let cells = [
                    available,
                    moves(turn.longest.as_ref()),
                    moves(turn.longest_in_time.as_ref()),
                    moves(turn.shortest_too_long.as_ref()),
                    share(turn.share(turn.won)),
                    in_time(turn),
                    share(turn.share(turn.count_draws)),
                    share(turn.share(turn.drawn)),
                    share(turn.share(turn.lost)),
                ];
                let cells = cells.map(|cell| format!("<td>{}</td>", escape(&cell)));
                text += &format!(
                    "<tr><td class=\"l\">{}</td><td class=\"l\">{}</td><td class=\"l\">{color}</td>{}</tr>\n",
                    name(set),
                    material.army(side.winner),
                    cells.concat()
                );
            }
        }
    }
    text + "</tbody></table></div>\n"
}

/// A record position with best play from it.
fn figure(ending: &Ending, line: &RecordLine) -> String {
    let record = &line.record;
    let army = ending.study.material.army(winner(line));
    let to = match ending.study.material.is_bare() {
        true => "mate",
        false => "honor",
    };
    let to_move = match record.fen.split(' ').nth(1) {
        Some("w") => "White",
        _ => "Black",
    };
    let distance = match record.moves {
        Some(moves) => format!("{to} in {moves}"),
        None => "mate can be forced, but only after baring the king too late".to_string(),
    };
    let mut text = format!(
        "<figure id=\"{}\">{}<figcaption><b>{}</b> for {army}: {to_move} to move, {distance}.",
        line_anchor(ending, line),
        board(&record.fen),
        capital(record.kind.words())
    );
    if let Some((fen, moves)) = line.replay() {
        let played = moves_in_words(&moves);
        text += &format!(
            "<details><summary>best play: {}</summary><p class=\"moves\">{}</p><p><code>sakmak line \"{}\"</code></p></details>",
            escape(&pgn::ending(&moves)),
            played,
            escape(short(&fen.display(RECORD_RULES.lettering()).to_string()))
        );
    }
    text + "</figcaption></figure>\n"
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// The moves, each with the number that is said with it.
fn moves_in_words(line: &Line) -> String {
    let mut text = String::new();
    let mut number = 1;
    for (i, played) in line.moves.iter().enumerate() {
        let white = played.before.turn() == Color::White;
        if white {
            text += &format!("<b>{number}.</b>\u{a0}");
        } else if i == 0 {
            text += "<b>1…</b>\u{a0}";
        }
        text += &escape(&played.before.san(played.m, RECORD_RULES.lettering()));
        if let Some(counted) = played.counted {
            text += &format!("<sup>{counted}</sup>");
        }
        text.push(' ');
        number += u32::from(!white);
    }
    text
}

/// Where Black's king is safest.
fn king_squares(ending: &Ending) -> String {
    let scan = ending.findings.as_ref().and_then(|f| f.scan.as_ref());
    let won = |scan: &&sakmak::study::Scan| scan.black_king.iter().any(|t| t.in_time > 0);
    let Some(scan) = scan.filter(won) else {
        return String::new();
    };
    format!(
        "<figure>{}<figcaption><b>Where the {}king is safest</b>: the share that White, to move, wins in time with Black's king on each square, in hundredths. The less colour, the safer.</figcaption></figure>\n",
        heat(&scan.black_king),
        if ending.study.material.is_bare() {
            "bare "
        } else {
            "black "
        }
    )
}

/// How long the wins take, and what share is won in how many moves.
fn charts(ending: &Ending, makruk: &RulesStudy, side: &SideStudy) -> String {
    let material = ending.study.material;
    let army = material.army(side.winner);
    let positions = makruk.distances.to_move(side.winner).wins(side.winner);
    let to = match material.is_bare() {
        true => "mate",
        false => "honor",
    };
    let title = format!("{army} to move and to win: how many positions take how many moves");
    let histogram = Histogram {
        label: &title,
        to,
        positions,
        count: side.to_move.moves_available,
    };
    let studies = RuleSet::ALL
        .into_iter()
        .filter_map(|set| ending.study.under(set));
    let marks = studies.clone().filter_map(|study| {
        let side = study.side(side.winner)?;
        let name = study.overlay.rules.name();
        Some(Mark {
            label: if name == "asean" { "ASEAN" } else { name }.to_string(),
            moves: side.to_move.moves_available?,
        })
    });
    let marks: Vec<Mark> = marks.collect();
    // Against a bare king the distances are those to mate under every rule set.
    let lines = studies.take(if material.is_bare() { 1 } else { 3 });
    let lines = lines.map(|study| {
        let wins = study.distances.to_move(side.winner).wins(side.winner);
        (study.overlay.rules.name(), wins)
    });
    let curve_title = format!("{army} to move: the share won against the moves allowed");
    let curve = Curve {
        label: &curve_title,
        lines: lines.collect(),
        legal: side.to_move.legal,
        marks,
    };
    format!(
        "<div class=\"charts\"><figure>{}<figcaption>{title} ({} in all, by makruk's rules). <button type=\"button\" class=\"scale\" aria-pressed=\"false\">log scale</button></figcaption></figure>\n<figure>{}<figcaption>{curve_title}{}.</figcaption></figure></div>\n",
        histogram.svg(),
        number(positions.iter().sum()),
        curve.svg(),
        match material.is_bare() {
            true => "",
            false =>
                ". Each rule set has distances to honor of its own: <b class=\"c makruk\">makruk</b>, <b class=\"c ouk\">ouk</b>, and <b class=\"c asean\">ASEAN chess</b>, which counts nothing here but fifty moves without a capture",
        }
    )
}
