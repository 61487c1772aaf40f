//! Makes a page that lists all endings and a page for each ending, in every language. The pages are
//! complete without scripts; a script sorts and narrows the list.
//!
//! The paths are relative to the explorer's page. They are the same on a server and in a static
//! site: `endings/index.html` and `endings/KSMvK.html`. Other languages have a folder, such as
//! `endings/th/`.

mod changes;
mod diagram;
mod figures;
mod frame;
mod list;
mod notation;
mod one;
mod promotions;
mod sentences;
mod story;

pub(super) use figures::Catalogue;
use frame::{INDEX, Place};
pub(super) use notation::short_name;

use super::preview::Pictures;
use super::words::{self, Words};
use sakmak::material::CanonicalMaterial;
use sakmak::probe::Tablebase;

/// Makes all pages, and returns each with its path.
pub(super) fn files<'a>(
    catalogue: &'a Catalogue,
    tablebase: &'a Tablebase,
    pictures: Pictures<'a>,
) -> impl Iterator<Item = (String, String)> + 'a {
    words::ALL.iter().flat_map(move |words| {
        let index = Place::new(words, INDEX, pictures);
        let index = (index.path(), list::page(catalogue, &index));
        let each = catalogue.endings.values().map(move |figures| {
            let name = figures.material.to_string();
            let place = Place::new(words, &name, pictures);
            (
                place.path(),
                one::page(catalogue, tablebase, figures, &place),
            )
        });
        std::iter::once(index).chain(each)
    })
}

/// Makes the page at a path below the endings' folder. An empty path stands for the list of
/// endings. None if no page has this path.
pub(super) fn page(
    catalogue: &Catalogue,
    tablebase: &Tablebase,
    path: &str,
    pictures: Pictures,
) -> Option<String> {
    let (language, file) = match path.split_once('/') {
        // A page in the main language has a single address, which names no language.
        Some((language, _)) if language == words::MAIN => return None,
        Some((language, file)) => (language, file),
        None => (words::MAIN, path),
    };
    let words = Words::of(language)?;
    let name = match file {
        "" => INDEX,
        file => file.strip_suffix(".html")?,
    };
    let place = Place::new(words, name, pictures);
    if name == INDEX {
        return Some(list::page(catalogue, &place));
    }
    let material: CanonicalMaterial = name.parse().ok()?;
    let figures = catalogue.endings.get(&material)?;
    (material.to_string() == name).then(|| one::page(catalogue, tablebase, figures, &place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_page_has_one_address() {
        let catalogue = Catalogue::default();
        let tables = Tablebase::new();
        let paths: Vec<String> = files(&catalogue, &tables, Pictures::Unknown)
            .map(|(path, _)| path)
            .collect();
        assert_eq!(paths[0], "endings/index.html");
        assert!(paths.contains(&"endings/th/index.html".to_string()));
        let found = |path| page(&catalogue, &tables, path, Pictures::Unknown).is_some();
        assert!(["", "index.html", "th/", "th/index.html"].map(found) == [true; 4]);
        let others = [
            "index",
            "en/index.html",
            "xx/",
            "th",
            "KRvK.html",
            "../",
            "th/th/",
        ];
        assert!(others.map(found) == [false; 7]);
    }
}
