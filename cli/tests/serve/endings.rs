//! The pages about endings: an index and a page for each, without scripts.

use std::collections::BTreeSet;

use crate::client::Served;

/// The addresses that a page links to, from the explorer's page.
fn links(html: &str) -> impl Iterator<Item = &str> {
    html.split("href=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
}

#[test]
fn the_index_has_each_ending_with_its_figures_in_each_language() {
    let served = Served::shared();
    let listed = served.get("/v1/endings").json();
    for (folder, language, finding) in [("", "en", "The count takes"), ("th/", "th", "การนับทำให้")]
    {
        let reply = served.get(&format!("/endings/{folder}"));
        assert_eq!(reply.status, 200);
        assert_eq!(reply.header("content-type"), "text/html; charset=utf-8");
        assert!(
            reply
                .header("content-security-policy")
                .contains("default-src 'self'")
        );
        let html = reply.text();
        assert!(html.contains(&format!("<html lang=\"{language}\">")));
        assert!(html.contains(finding), "{html}");
        // The only script is a file of the page's own.
        let scripts = html.matches("<script").count();
        assert_eq!(
            (
                scripts,
                html.matches("endings.js\" defer></script>").count()
            ),
            (1, 1)
        );
        assert!(!html.contains("style="));
        let endings = listed["endings"].as_array().unwrap();
        assert_eq!(html.matches("<tr id=").count(), endings.len());
        for ending in endings {
            let name = ending["material"].as_str().unwrap();
            assert!(
                html.contains(&format!("<a href=\"{name}.html\">")),
                "{name}"
            );
            let page = served.get(&format!("/endings/{folder}{name}.html"));
            assert_eq!(page.status, 200, "{name}");
            let there: BTreeSet<&str> = links(page.text()).collect();
            assert!(there.contains("index.html"), "{there:?}");
        }
    }
}

#[test]
fn an_ending_has_its_shares_and_hardest_positions() {
    let served = Served::shared();
    let page = served.get("/endings/KRvK.html");
    let html = page.text();
    assert!(html.contains("<title>K+R v K – sakmak</title>"));
    assert!(html.contains("<meta property=\"og:title\" content=\"K+R v K\">"));
    let figures = served.get("/v1/endings/KRvK").json();
    let longest = &figures["rules"][0]["longest_inside_count"];
    let caption = format!(
        "The longest win in time: {} moves to mate.",
        longest["moves"]
    );
    assert!(html.contains(&caption), "{html}");
    assert!(html.contains("<svg class=\"diagram\""));
    let tag = page.header("etag").to_string();
    let again = served.ask("GET", "/endings/KRvK.html", &[("If-None-Match", &tag)], b"");
    assert_eq!(again.status, 304);
}

#[test]
fn other_addresses_have_no_page() {
    let served = Served::shared();
    let moved = served.get("/endings");
    assert_eq!((moved.status, moved.header("location")), (301, "/endings/"));
    let none = [
        "KvKR.html",
        "KQvK.html",
        "KRRRRvK.html",
        "KRvK",
        "en/index.html",
        "th/th/",
        "%2e%2e/",
        "%ff",
    ];
    for path in none {
        served
            .get(&format!("/endings/{path}"))
            .is_error(404, "no-such-address");
    }
}
