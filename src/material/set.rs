//! Sets of endings, such as `bare-4`.

use std::collections::BTreeSet;

use thiserror::Error;

use super::MAX_MEN;
use super::canonical::CanonicalMaterial;
use super::men::{Army, Material, MaterialError};
use crate::board::Role;

/// All armies of this many men besides the king, with these roles, in R N S M P order.
fn armies(men: usize, roles: &[Role]) -> Vec<Army> {
    fn extend(army: Army, roles: &[Role], men: usize, found: &mut Vec<Army>) {
        if men == 0 {
            found.push(army);
            return;
        }
        for (i, &role) in roles.iter().enumerate() {
            extend(army.with(role), &roles[i..], men - 1, found);
        }
    }
    let mut found = Vec::new();
    extend(Army::BARE, roles, men, &mut found);
    found
}

/// Every pawnless material of exactly this many men, kings included, each once and sorted.
pub fn materials_of(men: usize) -> Vec<CanonicalMaterial> {
    of_roles(men, &Role::PAWNLESS).into_iter().collect()
}

/// Every material of exactly this many men, kings included, with at least one bia, each once and
/// sorted.
pub fn materials_with_bia_of(men: usize) -> Vec<CanonicalMaterial> {
    let mut found = of_roles(men, &Role::MEN);
    found.retain(|material| !material.is_pawnless());
    found.into_iter().collect()
}

/// Every material of exactly this many men, kings included, in which every man besides the kings
/// has one of these roles.
fn of_roles(men: usize, roles: &[Role]) -> BTreeSet<CanonicalMaterial> {
    let others = men.saturating_sub(2);
    let mut found = BTreeSet::new();
    for white in (1..=others).filter(|white| 2 * white >= others) {
        for &white_army in &armies(white, roles) {
            for &black_army in &armies(others - white, roles) {
                let material = Material::new([white_army, black_army]);
                found.insert(material.canonical().0);
            }
        }
    }
    found
}

/// The reason why a word is not the name of a set of materials.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SetError {
    /// The word looks like a material's name, but is not one.
    #[error(transparent)]
    Material(#[from] MaterialError),
    /// The word looks neither like a material nor like a set with a valid number of men.
    #[error(
        "\"{0}\" is neither an ending nor a set: write an ending such as KSMvK, or a set such as bare-4 (or all-N, bia-N, every-N, with N from 3 to {MAX_MEN})"
    )]
    Men(String),
}

/// The materials named by a word, subendings first.
///
/// The word is a material's name, which includes its subendings; or `bare-N` (every pawnless
/// bare-king ending up to N men), `all-N` (every pawnless ending up to N men), `bia-N` (every
/// ending up to N men with at least one bia) or `every-N` (both).
///
/// # Errors
///
/// If the word is none of these, or is the name of an ending that has no table.
pub fn parse_set(word: &str) -> Result<Vec<CanonicalMaterial>, SetError> {
    let lower = word.to_ascii_lowercase();
    let of_bare = |men| {
        let mut found = of_roles(men, &Role::PAWNLESS);
        found.retain(|material| material.is_bare());
        found.into_iter().collect()
    };
    let every = |men| of_roles(men, &Role::MEN).into_iter().collect();
    let (of, men): (&dyn Fn(usize) -> Vec<CanonicalMaterial>, &str) = match lower.split_once('-') {
        Some(("bare", men)) => (&of_bare, men),
        Some(("all", men)) => (&materials_of, men),
        Some(("bia", men)) => (&materials_with_bia_of, men),
        Some(("every", men)) => (&every, men),
        _ => {
            return match word.parse::<CanonicalMaterial>() {
                Ok(material) => Ok(material.closure()),
                Err(MaterialError::NoTwoSides(_)) => Err(SetError::Men(word.to_string())),
                Err(error) => Err(error.into()),
            };
        }
    };
    let men = match men.parse::<usize>() {
        Ok(men) if (3..=MAX_MEN).contains(&men) => men,
        _ => return Err(SetError::Men(word.to_string())),
    };
    Ok((3..=men).flat_map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::super::canonical::closure;
    use super::*;

    #[test]
    fn there_are_as_many_materials_as_combinations() {
        // There are C(m + 3, 3) armies of m men of four roles. Two equally large armies make an
        // unordered pair.
        let armies = |m: usize| (m + 3) * (m + 2) * (m + 1) / 6;
        for men in 3..=MAX_MEN {
            let others = men - 2;
            let mut expected = 0;
            for black in 0..=others / 2 {
                let white = others - black;
                expected += if white == black {
                    armies(white) * (armies(white) + 1) / 2
                } else {
                    armies(white) * armies(black)
                };
            }
            assert_eq!(materials_of(men).len(), expected, "{men} men");
        }
        assert_eq!(parse_set("bare-5").unwrap().len(), 34);
        assert_eq!(parse_set("all-5").unwrap().len(), 84);
    }

    #[test]
    fn endings_with_bia_have_names_and_sets() {
        let of = |men| materials_with_bia_of(men).len();
        assert_eq!([3, 4, 5].map(of), [1, 10, 50]);
        let count = |word: &str| parse_set(word).unwrap().len();
        assert_eq!(
            ["bia-4", "bia-5", "all-5", "every-5"].map(count),
            [11, 61, 84, 145]
        );
        assert_eq!(
            format!("{:?}", parse_set("kspvk").unwrap()),
            "[KSvK, KMvK, KPvK, KSMvK, KSPvK]"
        );
        for (name, men) in [
            ("KPPPPPPPPPvK", 11),
            ("KRRRRPPvKPPP", 11),
            ("KPPPPvKPPPP", 10),
        ] {
            let error = name.parse::<CanonicalMaterial>().unwrap_err();
            assert_eq!(
                error,
                MaterialError::TooMany {
                    name: name.to_string(),
                    men
                }
            );
        }
        assert_eq!("KPPPvKPPP".parse().map(CanonicalMaterial::men), Ok(MAX_MEN));
    }

    #[test]
    fn smaller_endings_come_before_those_that_need_them() {
        let every_5 = closure((3..=5).flat_map(materials_with_bia_of));
        let sets = ["all-6", "KRSMvKNM"].map(|word| parse_set(word).unwrap());
        for set in sets.into_iter().chain([every_5]) {
            for (i, material) in set.iter().enumerate() {
                for smaller in material.after_a_move() {
                    assert!(set[..i].contains(&smaller), "{material} needs {smaller}");
                }
            }
        }
        assert_eq!(
            format!("{:?}", parse_set("KSMvK").unwrap()),
            "[KSvK, KMvK, KSMvK]"
        );
    }

    #[test]
    fn a_set_needs_a_number_of_men_that_can_be_had() {
        for word in ["bare-2", "bare-9", "all-", "all-x", "bare--4"] {
            assert!(matches!(parse_set(word), Err(SetError::Men(_))), "{word}");
        }
    }
}
