//! Layouts. A layout fixes the order of a position's components, and so the numbering of an
//! ending's positions.

use thiserror::Error;

use super::{Bia, BiaPlacements, Placements, Symmetry, Transform};
use crate::board::{Color, Role, Square, SquareSet};
use crate::material::{CanonicalMaterial, Material};
use crate::statistics::Example;

/// The men of one role and one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// The colour of the men.
    pub color: Color,
    /// The role of the men.
    pub role: Role,
    /// The number of men in the group.
    pub count: usize,
    /// The squares that the men may occupy: all, except for mets in a colour slice.
    pub domain: SquareSet,
}

impl Group {
    /// A group whose men may be on any square.
    pub fn new(color: Color, role: Role, count: usize) -> Group {
        Group {
            color,
            role,
            count,
            domain: SquareSet::ALL,
        }
    }

    /// The groups of a material: White's in the order R N S M, then Black's. Bia are not in a
    /// group, since all bia together are one component.
    pub fn all_of(material: Material) -> Vec<Group> {
        let groups = |color| {
            let groups = material.army(color).groups();
            let groups = groups.filter(|&(role, _)| role != Role::Bia);
            groups.map(move |(role, count)| Group::new(color, role, count))
        };
        Color::ALL.into_iter().flat_map(groups).collect()
    }

    /// All placements of the group's men.
    pub fn placements(&self) -> Placements {
        Placements::new(self.count, self.domain)
    }
}

/// A component of a position. Each component is one digit of the position's index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Component {
    /// The bia of both sides.
    Bia,
    /// White's king, on one of the squares to which symmetry maps it.
    Anchor,
    /// A group of men, as an index into [`Layout::groups`].
    Group(usize),
    /// Black's king.
    Lane,
}

/// The error for an order that does not contain each component of the material exactly once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the order does not name every component of this material exactly once")]
pub struct LayoutError;

/// The byte for the bia in a file's order of components.
pub const BIA_BYTE: u8 = 255;

/// The numbering of an ending's positions.
#[derive(Clone, Debug)]
pub struct Layout {
    material: CanonicalMaterial,
    symmetry: Symmetry,
    groups: Vec<Group>,
    placements: Vec<Placements>,
    bia: BiaPlacements,
    domain: Vec<Square>,
    /// For each square in the anchor's domain, the digit of the anchor; 255 for all other squares.
    anchor_digit: [u8; 64],
    order: Vec<Component>,
    /// The strides of the components: first those of the groups, then those of the anchor, the lane
    /// and the bia.
    strides: Vec<u64>,
    cells: u64,
}

impl Layout {
    /// The groups of a material: White's in the order R N S M, then Black's. Bia are not in a
    /// group.
    pub fn groups_of(material: CanonicalMaterial) -> Vec<Group> {
        Group::all_of(material.material())
    }

    /// The symmetry of a material's positions.
    pub fn symmetry_of(material: CanonicalMaterial) -> Symmetry {
        match material {
            _ if !material.is_pawnless() => Symmetry::Bia,
            _ if material.has_khon() => Symmetry::Mirror,
            _ => Symmetry::Full,
        }
    }

    /// The layout with this order of components, outermost first.
    ///
    /// # Errors
    ///
    /// If the order does not contain every component of the material exactly once, or if the
    /// material does not have this symmetry.
    pub fn new(
        material: CanonicalMaterial,
        symmetry: Symmetry,
        order: &[Component],
    ) -> Result<Layout, LayoutError> {
        let groups = Layout::groups_of(material);
        let mut expected: Vec<Component> = (0..groups.len()).map(Component::Group).collect();
        expected.extend([Component::Anchor, Component::Lane]);
        if !material.is_pawnless() {
            expected.push(Component::Bia);
        }
        let has_symmetry = match symmetry {
            Symmetry::Bia => !material.is_pawnless(),
            Symmetry::Mirror => material.is_pawnless(),
            Symmetry::Full => Layout::symmetry_of(material) == Symmetry::Full,
        };
        if !has_symmetry
            || order.len() != expected.len()
            || expected.iter().any(|c| !order.contains(c))
        {
            return Err(LayoutError);
        }
        let domain = symmetry.domain();
        let mut anchor_digit = [255; 64];
        for (digit, square) in domain.iter().enumerate() {
            anchor_digit[square.index()] = digit as u8;
        }
        let mut layout = Layout {
            material,
            symmetry,
            placements: groups.iter().map(Group::placements).collect(),
            bia: BiaPlacements::of(material.material()),
            domain,
            anchor_digit,
            order: order.to_vec(),
            strides: vec![0; groups.len() + 3],
            groups,
            cells: 1,
        };
        for &component in order.iter().rev() {
            let slot = layout.slot(component);
            layout.strides[slot] = layout.cells;
            layout.cells *= layout.radix(component) as u64;
        }
        Ok(layout)
    }

    /// The layout that a file stores in two fields: a number from [`Symmetry::id`], and the bytes
    /// from [`Layout::order_bytes`].
    ///
    /// # Errors
    ///
    /// If the fields do not describe a layout of this material.
    pub fn from_bytes(
        material: CanonicalMaterial,
        symmetry: u8,
        order: &[u8],
    ) -> Result<Layout, LayoutError> {
        let symmetry = Symmetry::from_id(symmetry).ok_or(LayoutError)?;
        let order: Vec<Component> = order
            .iter()
            .map(|&byte| match byte {
                0 => Component::Anchor,
                1 => Component::Lane,
                BIA_BYTE => Component::Bia,
                group => Component::Group(group as usize - 2),
            })
            .collect();
        Layout::new(material, symmetry, &order)
    }

    /// The order of the components as bytes for a file: 0 for the anchor, 1 for the lane, 2 and up
    /// for the groups, 255 for the bia.
    pub fn order_bytes(&self) -> Vec<u8> {
        self.order
            .iter()
            .map(|component| match component {
                Component::Anchor => 0,
                Component::Lane => 1,
                Component::Bia => BIA_BYTE,
                Component::Group(group) => *group as u8 + 2,
            })
            .collect()
    }

    fn slot(&self, component: Component) -> usize {
        match component {
            Component::Group(group) => group,
            Component::Anchor => self.groups.len(),
            Component::Lane => self.groups.len() + 1,
            Component::Bia => self.groups.len() + 2,
        }
    }

    /// The material of the layout.
    pub fn material(&self) -> CanonicalMaterial {
        self.material
    }

    /// The symmetry of the layout.
    pub fn symmetry(&self) -> Symmetry {
        self.symmetry
    }

    /// The squares of the anchor, in the order of its digits.
    pub fn domain(&self) -> &[Square] {
        &self.domain
    }

    /// The groups of men, without the bia.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The placements of the group with this index.
    pub fn placements(&self, group: usize) -> &Placements {
        &self.placements[group]
    }

    /// The placements of the bia. An ending without bia has one placement, which is empty.
    pub fn bia_placements(&self) -> &BiaPlacements {
        &self.bia
    }

    /// The components, the outermost first.
    pub fn order(&self) -> &[Component] {
        &self.order
    }

    /// The number of cells, which is the number of possible indices.
    pub fn cells(&self) -> u64 {
        self.cells
    }

    /// The radix of a component: the number of values of its digit.
    pub fn radix(&self, component: Component) -> usize {
        match component {
            Component::Anchor => self.domain.len(),
            Component::Group(group) => self.placements[group].len(),
            Component::Lane => 64,
            Component::Bia => self.bia.len(),
        }
    }

    /// The stride of a component: the factor of its digit in the index.
    pub fn stride(&self, component: Component) -> u64 {
        self.strides[self.slot(component)]
    }

    /// The transform that maps a position with these bia and this anchor to the image that has an
    /// index.
    pub fn to_domain(&self, bia: Bia, anchor: Square) -> Transform {
        self.symmetry.to_domain(bia, anchor)
    }

    /// The contribution of the bia to an index. It is the same for mirror images. `None` if this
    /// ending cannot have bia on these squares.
    #[inline]
    pub fn of_bia(&self, bia: Bia) -> Option<u64> {
        // Without bia the search among placements is unnecessary.
        if self.symmetry != Symmetry::Bia && bia.is_empty() {
            return Some(0);
        }
        let (_, digit) = self.bia.number(bia)?;
        Some(digit as u64 * self.stride(Component::Bia))
    }

    /// The digit of the anchor on a square of its domain.
    pub fn anchor_digit(&self, square: Square) -> usize {
        self.anchor_digit[square.index()] as usize
    }

    /// The index of the position with the bia, kings and men on these squares. The position is
    /// first transformed into the domain. `men` returns the squares of the group with a given
    /// index.
    ///
    /// # Panics
    ///
    /// If this ending cannot have bia on these squares.
    #[inline]
    pub fn number(
        &self,
        bia: Bia,
        [anchor, lane]: [Square; 2],
        men: impl Fn(usize) -> SquareSet,
    ) -> u64 {
        let (transform, base) = self.lane_base(bia, anchor, men);
        base + transform.square(lane).index() as u64 * self.stride(Component::Lane)
    }

    /// The transform that maps the bia and the anchor into the domain, and the index of the
    /// transformed position with Black's king on a1. For another square of Black's king, add the
    /// stride of the lane times the index of the transformed square.
    ///
    /// # Panics
    ///
    /// If this ending cannot have bia on these squares.
    #[inline]
    pub fn lane_base(
        &self,
        bia: Bia,
        anchor: Square,
        men: impl Fn(usize) -> SquareSet,
    ) -> (Transform, u64) {
        let transform = self.to_domain(bia, anchor);
        let anchor_digit = self.anchor_digit(transform.square(anchor)) as u64;
        let mut base = anchor_digit * self.strides[self.groups.len()];
        base += self.of_bia(bia).expect("bia of this ending");
        for (group, placements) in self.placements.iter().enumerate() {
            let digit = placements.number(transform.set(men(group))) as u64;
            base += digit * self.strides[group];
        }
        (transform, base)
    }

    /// The digit of a component in an index; 0 if the layout has no such component.
    pub fn digit(&self, number: u64, component: Component) -> usize {
        if self.stride(component) == 0 {
            return 0;
        }
        (number / self.stride(component) % self.radix(component) as u64) as usize
    }

    /// The squares of the men in the position with this index, in the order of [`Example`].
    pub fn example(&self, number: u64) -> Example {
        let kings = [
            self.domain[self.digit(number, Component::Anchor)],
            Square::wrapping(self.digit(number, Component::Lane)),
        ];
        let men = |i: usize| self.placements[i].squares(self.digit(number, Component::Group(i)));
        let men: Vec<SquareSet> = (0..self.groups.len()).map(men).collect();
        let bia = self.bia.bia(self.digit(number, Component::Bia));
        example(&self.groups, bia, kings, &men)
    }
}

/// Makes an [`Example`], the list of the squares of a position's men. `kings` contains White's king
/// first, and `men` the squares of each group.
pub fn example(groups: &[Group], bia: Bia, kings: [Square; 2], men: &[SquareSet]) -> Example {
    let mut squares = Vec::new();
    for color in Color::ALL {
        squares.push(kings[color.index()].index() as u8);
        for (group, men) in groups.iter().zip(men) {
            if group.color == color {
                squares.extend(men.map(|square| square.index() as u8));
            }
        }
        squares.extend(bia.of(color).map(|square| square.index() as u8));
    }
    Example::new(squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ending with this name, which may have more men than a table's ending can have.
    fn ending(name: &str) -> CanonicalMaterial {
        name.parse::<Material>().unwrap().canonical().0
    }

    #[test]
    fn numbers_and_examples_are_inverse() {
        for name in [
            "KRNvK", "KSSvKM", "KNNvKR", "KPvK", "KSPPvK", "KMPvKP", "KRvKP",
        ] {
            let material = ending(name);
            let symmetry = Layout::symmetry_of(material);
            let groups = Layout::groups_of(material).len();
            let mut order: Vec<_> = (0..groups).map(Component::Group).collect();
            order.insert(0, Component::Lane);
            order.insert(1, Component::Anchor);
            if !material.is_pawnless() {
                order.insert(1, Component::Bia);
            }
            let layout = Layout::new(material, symmetry, &order).unwrap();
            let again = Layout::from_bytes(material, symmetry.id(), &layout.order_bytes());
            assert_eq!(again.unwrap().order(), layout.order());
            for number in (0..layout.cells()).step_by(997) {
                let example = layout.example(number);
                let men: Vec<(Color, Role, Square)> = example.men(material).collect();
                let squares = |color, role| {
                    let like = men.iter().filter(|man| (man.0, man.1) == (color, role));
                    like.map(|man| man.2).collect::<SquareSet>()
                };
                let king = |color| squares(color, Role::King).first().unwrap();
                let bia = Bia::new(Color::ALL.map(|color| squares(color, Role::Bia)));
                let kings = Color::ALL.map(king);
                let found = layout.number(bia, kings, |g| {
                    let group = layout.groups()[g];
                    squares(group.color, group.role)
                });
                assert_eq!(found, number, "{name}");
                // The mirror image of a position has the same index, unless the bia are symmetric.
                let mirror = |square| Transform::MIRROR.square(square);
                let mirrored = layout.number(bia.mirrored(), kings.map(mirror), |g| {
                    let group = layout.groups()[g];
                    Transform::MIRROR.set(squares(group.color, group.role))
                });
                let even = !bia.is_empty() && bia == bia.mirrored();
                assert_eq!(mirrored == number, !even, "{name}");
            }
        }
    }

    #[test]
    fn examples_of_the_format_document() {
        let square = |name: &str| {
            let &[file, rank] = name.as_bytes() else {
                panic!("{name}")
            };
            Square::at(file - b'a', rank - b'1').unwrap()
        };
        let set = |names: &str| names.split_whitespace().map(square).collect::<SquareSet>();
        let examples: [(_, _, &[u8], _, _, _, _, _); 4] = [
            ("KRvK", 2, &[1, 0, 2], "g6", "b3", "d5", ["", ""], 22_773),
            (
                "KSSvK",
                1,
                &[0, 2, 1],
                "e1",
                "f4 d2",
                "h8",
                ["", ""],
                408_696,
            ),
            (
                "KRPvK",
                3,
                &[255, 2, 0, 1],
                "g6",
                "b3",
                "d5",
                ["f4", ""],
                1_664_356,
            ),
            (
                "KRPvKP",
                3,
                &[255, 2, 0, 1],
                "g6",
                "b3",
                "d5",
                ["f4", "c6"],
                62_219_620,
            ),
        ];
        for (name, symmetry, order, white, men, black, bia, number) in examples {
            let layout = Layout::from_bytes(ending(name), symmetry, order).unwrap();
            let men = set(men);
            let kings = [white, black].map(square);
            let found = layout.number(Bia::new(bia.map(set)), kings, |_| men);
            assert_eq!(found, number, "{name}");
        }
    }

    #[test]
    fn incomplete_order_is_refused() {
        let material: CanonicalMaterial = "KRNvK".parse().unwrap();
        for order in [
            &[0, 1, 2][..],
            &[0, 1, 2, 2],
            &[0, 1, 2, 4],
            &[0, 1, 2, 3, 3],
        ] {
            assert!(Layout::from_bytes(material, 2, order).is_err());
        }
        // A symmetry that does not suit the material is refused. Bia change the symmetry.
        assert!(Layout::from_bytes(material, 3, &[0, 1, 2, 3]).is_err());
        assert!(Layout::from_bytes(material, 2, &[0, 1, 2, 3, 255]).is_err());
        let material = ending("KRPvK");
        assert!(Layout::from_bytes(material, 3, &[255, 0, 1, 2]).is_ok());
        for (symmetry, order) in [
            (1, &[255, 0, 1, 2][..]),
            (2, &[255, 0, 1, 2]),
            (4, &[255, 0, 1, 2]),
            (3, &[0, 1, 2]),
            (3, &[255, 255, 0, 1, 2]),
            (3, &[0, 1, 2, 3]),
        ] {
            assert!(Layout::from_bytes(material, symmetry, order).is_err());
        }
    }
}
