//! The previews of links: their pictures, and the pages' tags that name them.

use std::fs;

use tempfile::TempDir;

use crate::client::{Reply, Served, tables};
use crate::command::program_with;
use crate::site::WASM;

const START: &str = "8/8/8/3k4/8/3K4/2SM4/8_w_-_-_0_1";

/// Width and height of a PNG file.
#[track_caller]
fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(&png[12..16], b"IHDR");
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    (number(16), number(20))
}

#[track_caller]
fn is_picture(reply: &Reply) {
    assert_eq!(reply.status, 200, "{reply:?}");
    assert_eq!(reply.header("content-type"), "image/png");
    assert_eq!(reply.header("cache-control"), "public, max-age=86400");
    assert_eq!(size(&reply.body), (1200, 630));
    assert!(reply.body.len() < 100_000, "{}", reply.body.len());
}

/// The value of a tag in a page's head.
fn tag<'a>(page: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(&format!("<meta property=\"{name}\" content=\""))?;
    Some(rest.split_once('"')?.0)
}

#[test]
fn a_position_has_its_picture() {
    let served = Served::shared();
    let address = format!("/picture.png?fen={START}");
    let picture = served.get(&address);
    is_picture(&picture);
    assert_eq!(
        picture.body,
        served.get("/picture.png").body,
        "the first position"
    );
    let other = served.get("/picture.png?fen=8/8/8/3k4/8/3K4/2SM4/8_b");
    is_picture(&other);
    assert_ne!(other.body, picture.body);
    // The same men in the letters of ASEAN chess.
    let asean = served.get("/picture.png?fen=8/8/8/3k4/8/3K4/2BQ4/8_w_-_-_0_1&rules=asean");
    is_picture(&asean);
    // Twenty said: other numbers, the same scale.
    is_picture(&served.get(&format!("{address}&count=20&limit=44")));
    let tag = picture.header("etag").to_string();
    let again = served.ask("GET", &address, &[("If-None-Match", &tag)], b"");
    assert_eq!((again.status, again.body.len()), (304, 0));
}

#[test]
fn a_position_without_a_table_has_a_picture() {
    let served = Served::shared();
    is_picture(&served.get("/picture.png?fen=7k/8/8/8/8/8/RR6/K7_w"));
}

#[test]
fn a_picture_of_nothing_is_refused_with_a_sentence() {
    let served = Served::shared();
    for query in [
        "fen=nonsense",
        "fen=",
        "rules=makruk",
        "fen=8/8/8/8/8/8/8/8_w",
        "fen=8/8/8/3k4/8/3K4/2SM4/8_w&rules=chess",
        "fen=8/8/8/3k4/8/3K4/2SM4/8_w&count=many",
        "fen=%00%ff%3Csvg",
    ] {
        served
            .get(&format!("/picture.png?{query}"))
            .is_error(400, "input");
    }
    // More men than any table has.
    let start = "fen=rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR_w_-_-_0_1";
    served
        .get(&format!("/picture.png?{start}"))
        .is_error(404, "not-in-tables");
}

#[test]
fn pages_name_their_pictures_by_whole_addresses() {
    let served = Served::shared();
    let page = served.get(&format!("/?fen={START}&count=20&limit=44"));
    let url = tag(page.text(), "og:image").unwrap();
    let path = url
        .strip_prefix("http://test")
        .unwrap()
        .replace("&amp;", "&");
    assert_eq!(
        path,
        format!("/picture.png?fen={START}&rules=makruk&count=20&limit=44")
    );
    is_picture(&served.get(&path));
    assert_eq!(tag(page.text(), "og:image:width"), Some("1200"));
    let first = served.get("/");
    assert_eq!(
        tag(first.text(), "og:image"),
        Some("http://test/picture.png")
    );
    assert!(tag(first.text(), "og:title").unwrap().contains("makruk"));
    for ending in ["KSMvK", "th/KSMvK"] {
        let page = served.get(&format!("/endings/{ending}.html"));
        let url = tag(page.text(), "og:image").unwrap().replace("&amp;", "&");
        is_picture(&served.get(url.strip_prefix("http://test").unwrap()));
    }
    let index = served.get("/endings/");
    assert_eq!(
        tag(index.text(), "og:image"),
        Some("http://test/picture.png")
    );
    // An invalid position has the general preview.
    let invalid = served.get("/?fen=nonsense");
    assert_eq!(
        tag(invalid.text(), "og:image"),
        Some("http://test/picture.png")
    );
}

#[test]
fn the_address_is_that_of_the_client() {
    let served = Served::shared();
    let of = |headers: &[(&str, &str)]| {
        let page = served.ask("GET", "/", headers, b"");
        tag(page.text(), "og:image").map(str::to_string)
    };
    let secure = of(&[("X-Forwarded-Proto", "https")]).unwrap();
    assert_eq!(secure, "https://test/picture.png");
    // Nobody's copy of the page has the address of another.
    let plain = served.get("/").header("etag").to_string();
    let headers = [("X-Forwarded-Proto", "https"), ("If-None-Match", &plain)];
    assert_eq!(served.ask("GET", "/", &headers, b"").status, 200);
    let robots = served.get("/robots.txt");
    let (previews, _) = robots.text().split_once("User-agent: *").unwrap();
    assert!(previews.ends_with("Allow: /\n\n"), "{previews}");
}

#[test]
fn a_site_with_an_address_has_a_picture_of_each_ending() {
    let directory = TempDir::new().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs::write(path("reader"), WASM).unwrap();
    let run = |address: &[&str], out: &str| {
        let mut command = program_with(tables());
        command
            .current_dir(directory.path())
            .args(["site", "KSMvK"]);
        command
            .args(["--out", out, "--reader", "reader"])
            .args(address);
        command.output().unwrap()
    };
    let out = run(&["--address", "https://example.org/makruk"], "out");
    assert!(out.status.success(), "{out:?}");
    let read = |name: &str| fs::read(path("out").join(name)).unwrap();
    let text = |name: &str| String::from_utf8(read(name)).unwrap();
    let site = "https://example.org/makruk";
    for (page, picture) in [
        ("index.html", "picture.png"),
        ("endings/index.html", "picture.png"),
        ("endings/KSMvK.html", "endings/KSMvK.png"),
        ("endings/th/KMvK.html", "endings/KMvK.png"),
    ] {
        if page.ends_with("KMvK.html") && !path("out").join(picture).exists() {
            // An ending without a win has no hardest position.
            assert_eq!(
                tag(&text(page), "og:image"),
                Some(&*format!("{site}/picture.png"))
            );
            continue;
        }
        assert_eq!(
            tag(&text(page), "og:image"),
            Some(&*format!("{site}/{picture}")),
            "{page}"
        );
        assert_eq!(size(&read(picture)), (1200, 630));
    }
    let served = Served::shared();
    assert_eq!(read("picture.png"), served.get("/picture.png").body);
    // Without an address previews have no pictures.
    assert!(run(&[], "plain").status.success());
    let page = fs::read_to_string(path("plain/endings/KSMvK.html")).unwrap();
    assert_eq!(tag(&page, "og:image"), None);
    assert!(!path("plain/picture.png").exists());
    for wrong in [
        "example.org",
        "https://",
        "ftp://example.org/",
        "https://a\"b/",
        "https://example.org/?a",
    ] {
        let out = run(&["--address", wrong], "wrong");
        assert_eq!(out.status.code(), Some(2), "{wrong}");
        let said = String::from_utf8(out.stderr).unwrap();
        assert!(said.contains("https://example.org/sakmak/"), "{said}");
    }
}
