//! The captures and promotions that lead from one ending to others.

use maud::{Markup, html};

use super::figures::{Catalogue, Figures};
use super::frame::{Place, file};
use super::notation::short_name;
use super::sentences::{man, points, share, side_name};
use sakmak::board::{Color, Role};
use sakmak::material::{CanonicalMaterial, Material};
use sakmak::probe::Share;

/// A capture or a promotion.
struct Change {
    /// The side whose man changes.
    side: Color,
    /// The man that promotes or is taken.
    from: Role,
    /// The man that it becomes. None if it is taken.
    becomes: Option<Role>,
    after: Material,
}

/// Lists the captures and promotions of an ending, promotions first.
fn changes(material: CanonicalMaterial) -> Vec<Change> {
    let men = material.material();
    let possible = material.after_a_move();
    let mut found = Vec::new();
    for side in Color::ALL {
        for (from, _) in men.army(side).groups() {
            let Some(rest) = men.army(side).without(from) else {
                continue;
            };
            let promoted = Role::PAWNLESS.into_iter().filter(|_| from == Role::Bia);
            for becomes in promoted.map(Some).chain([None]) {
                let army = becomes.map_or(rest, |role| rest.with(role));
                let after = men.with_army(side, army);
                if after.men() == 2 || possible.contains(&after.canonical().0) {
                    found.push(Change {
                        side,
                        from,
                        becomes,
                        after,
                    });
                }
            }
        }
    }
    found.sort_by_key(|change| change.becomes.is_none());
    found
}

/// Tabulates the endings after each capture and promotion, with their chances. Nothing if there are
/// none.
pub(super) fn section(catalogue: &Catalogue, figures: &Figures, place: &Place) -> Markup {
    let words = place.words;
    let own = figures.main.share(figures.main.in_time);
    let white = words.t("white");
    let heads = [
        words.t("event"),
        words.t("ofEnding"),
        words.t("wonInTime"),
        words.t("change"),
    ];
    let changes = changes(figures.material);
    html! {
        @if !changes.is_empty() {
            h2 { (words.t("leadsTo")) }
            p.quiet { (words.with("changesIntro", &[("side", white), ("own", &share(own))])) }
            table.changes {
                thead { tr { @for head in heads { th scope="col" { (head) } } } }
                tbody {
                    @for change in &changes {
                        @let (ending, wins) = change.leads_to(catalogue);
                        tr {
                            th scope="row" { (change.sentence(place)) }
                            td data-label=(heads[1]) {
                                @match ending {
                                    Some(ending) if wins.is_some() => {
                                        @let name = ending.to_string();
                                        a href=(file(&name)) { (short_name(ending, words)) }
                                    }
                                    Some(ending) => (short_name(ending, words)),
                                    None => (words.t("twoKings")),
                                }
                            }
                            td.n data-label=(heads[2]) { (wins.map_or("–".to_string(), share)) }
                            td.n data-label=(heads[3]) {
                                (wins.map_or("–".to_string(), |wins| points(own, wins)))
                            }
                        }
                    }
                }
            }
        }
    }
}

impl Change {
    fn sentence(&self, place: &Place) -> String {
        let words = place.words;
        let name = |role| man(role, words);
        let (key, side) = match self.becomes {
            Some(_) => ("changePromotes", self.side),
            None => ("changeTakes", !self.side),
        };
        let becomes = self.becomes.map_or("", name);
        let values = [
            ("side", side_name(side, words)),
            ("man", name(self.from)),
            ("to", becomes),
        ];
        words.with(key, &values)
    }

    /// The ending after the change, and the share of positions that White wins in it. The ending is
    /// None if only the kings are left; the share is None if there is no table.
    fn leads_to(&self, catalogue: &Catalogue) -> (Option<CanonicalMaterial>, Option<Share>) {
        if self.after.men() == 2 {
            return (
                None,
                Some(Share {
                    positions: 0,
                    of: 1,
                }),
            );
        }
        let (ending, swapped) = self.after.canonical();
        (Some(ending), catalogue.wins(ending, swapped))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_capture_and_every_promotion_is_listed() {
        let endings = |name: &str| {
            let all = changes(name.parse().unwrap()).into_iter();
            let endings = all.map(|change| change.after).filter(|men| men.men() > 2);
            endings
                .map(|men| men.canonical().0)
                .collect::<BTreeSet<_>>()
        };
        for (name, expected) in [
            ("KMvK", vec![]),
            ("KSPvK", vec!["KPvK", "KSvK", "KSMvK"]),
            // A bia that captures and promotes in one move is no change of its own.
            ("KRPvKN", vec!["KNvKP", "KRvKN", "KRPvK", "KRMvKN"]),
            ("KPvKP", vec!["KPvK", "KMvKP"]),
            ("KSMPvK", vec!["KSMvK", "KSPvK", "KMPvK", "KSMMvK"]),
        ] {
            let expected = expected.iter().map(|ending| ending.parse().unwrap());
            assert_eq!(endings(name), expected.collect(), "{name}");
        }
        let pawnless: CanonicalMaterial = "KRRvKM".parse().unwrap();
        let all = pawnless.after_a_move().into_iter();
        assert_eq!(endings("KRRvKM"), all.collect());
        assert_eq!(changes("KMvK".parse().unwrap()).len(), 1);
    }
}
