//! Families: positions that differ only by a symmetry of the board.

use sakmak::board::{Color, Position, Role};
use sakmak::index::{Symmetry, Transform};
use sakmak::material::CanonicalMaterial;

/// The transforms of an ending's symmetry.
pub(super) fn symmetries(symmetry: Symmetry) -> Vec<Transform> {
    match symmetry {
        Symmetry::Mirror | Symmetry::Bia => vec![Transform::IDENTITY, Transform::MIRROR],
        Symmetry::Full => Transform::all().collect(),
    }
}

/// The image of a position under a transform. None if the image is not a legal position.
pub(super) fn image(position: &Position, transform: Transform) -> Option<Position> {
    let by_color = Color::ALL.map(|color| transform.set(position.by_color(color)));
    let by_role = Role::ALL.map(|role| transform.set(position.by_role(role)));
    Position::new(by_color, by_role, position.turn()).ok()
}

/// True for exactly one position of each family.
pub(super) fn is_first(position: &Position, symmetries: impl Iterator<Item = Transform>) -> bool {
    let key = |transform: Transform| {
        let color = Color::ALL.map(|color| transform.set(position.by_color(color)).0);
        let role = Role::ALL.map(|role| transform.set(position.by_role(role)).0);
        (color, role)
    };
    let own = key(Transform::IDENTITY);
    symmetries
        .into_iter()
        .all(|transform| own <= key(transform))
}

/// True if both sides of the ending have the same men, so that the sides can be exchanged.
pub(super) fn is_even(material: CanonicalMaterial) -> bool {
    material.army(Color::White) == material.army(Color::Black)
}
