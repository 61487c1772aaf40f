//! A printable page of puzzles: boards, then the answers on a separate page.

use maud::{DOCTYPE, PreEscaped, html};
use sakmak::board::Fen;
use sakmak::rules::RuleSet;
use sakmak_study::svg;

use super::solution::{Numbered, about, allowance, solution};

const STYLE: &str = "\
body{font:16px/1.4 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color:#222;background:#fff}\
.puzzles{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:1.5rem}\
figure{margin:0;break-inside:avoid}figcaption{text-align:center}small{color:#555}\
.board{width:100%;height:auto}.sq{fill:#f4ead5;stroke:#8a744b}.dk{fill:#e6d5b0}\
.co text{font-size:12px;fill:#555;text-anchor:middle}\
use.w{fill:#fffdf6;stroke:#2a2119;stroke-width:1.6;stroke-linejoin:round;color:#2a2119}\
use.b{fill:#3a2d25;stroke:#120c08;stroke-width:1.6;stroke-linejoin:round;color:#f2e6d0}\
.l{fill:none}symbol .l{stroke:currentColor;stroke-width:1.3}.e{fill:currentColor;stroke:none}\
ol li{margin:.3rem 0}\
@media print{body{margin:0;max-width:none}.puzzles{grid-template-columns:repeat(3,1fr)}.answers{break-before:page}}";

/// Makes the HTML page.
pub fn html(rules: RuleSet, puzzles: &[Numbered]) -> String {
    let lettering = rules.lettering();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                title { "Puzzles of " (rules) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (svg::symbols())
                h1 { "Puzzles of " (rules) }
                p {
                    "Each move of the side to move is the only one that keeps the result. No count has begun: \
                     it begins with the next move of the side that counts."
                    @if puzzles.iter().any(|numbered| !numbered.puzzle.position.is_pawnless()) {
                        " While a bia is on the board, nothing is counted: the count begins when the last bia is promoted or taken."
                    }
                }
                div class="puzzles" {
                    @for (i, numbered) in puzzles.iter().enumerate() {
                        figure {
                            (svg::board(&Fen::new(numbered.puzzle.position)))
                            figcaption {
                                b { (i + 1) ". " (numbered.puzzle.task()) }
                                br;
                                small {
                                    (numbered.ending) ", grade " (numbered.puzzle.grade()) " of 5"
                                    @let allowance = allowance(&numbered.puzzle);
                                    @if !allowance.is_empty() { ", " (allowance) }
                                }
                            }
                        }
                    }
                }
                section class="answers" {
                    h2 { "Answers" }
                    ol {
                        @for numbered in puzzles {
                            li { (solution(&numbered.puzzle, lettering)) " " small { "(" (about(numbered)) ")" } }
                        }
                    }
                }
            }
        }
    }
    .into_string()
}
