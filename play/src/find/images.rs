//! The images of a position under the symmetries of the board.

use sakmak::board::{Color, Position, Role};
use sakmak::index::{Symmetry, Transform};
use sakmak::material::CanonicalMaterial;
use sakmak::statistics::Example;

use super::criteria::Region;

/// The transforms of an ending's symmetry.
pub fn symmetries(symmetry: Symmetry) -> Vec<Transform> {
    match symmetry {
        Symmetry::Mirror | Symmetry::Bia => vec![Transform::IDENTITY, Transform::MIRROR],
        Symmetry::Full => Transform::all().collect(),
    }
}

/// The image of a position under a transform. None if the image is not a legal position.
pub fn image(position: &Position, transform: Transform) -> Option<Position> {
    let by_color = Color::ALL.map(|color| transform.set(position.by_color(color)));
    let by_role = Role::ALL.map(|role| transform.set(position.by_role(role)));
    Position::new(by_color, by_role, position.turn()).ok()
}

/// True for exactly one position of each family.
pub fn is_first(position: &Position, symmetries: impl Iterator<Item = Transform>) -> bool {
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

/// True if an image of these men is in all of the regions.
pub fn may_stand(
    example: &Example,
    material: CanonicalMaterial,
    mut symmetries: impl Iterator<Item = Transform>,
    regions: &[Region],
) -> bool {
    let stands = |region: &Region, transform: Transform| {
        example.men(material).any(|(color, role, square)| {
            (color, role) == (region.color, region.role)
                && region.squares.contains(transform.square(square))
        })
    };
    regions.is_empty()
        || symmetries.any(|transform| regions.iter().all(|region| stands(region, transform)))
}
