//! Answers, in lila's format and in sakmak's own.

use serde_json::{Value as Json, json};

use crate::client::Served;

const ROOK: &str = "8/8/8/8/8/2k5/8/K6R_w";

#[test]
fn lila_clients_read_signed_plies() {
    let served = Served::shared();
    let reply = served.get(&format!("/makruk?fen={ROOK}"));
    assert_eq!(reply.status, 200);
    let answer = reply.json();
    assert_eq!(answer["category"], "win");
    assert_eq!(answer["dtm"], 27);
    assert_eq!(answer["dth"], Json::Null);
    assert_eq!(answer["count"]["limit"], 16);
    for name in ["dtz", "precise_dtz", "dtc", "dtw"] {
        assert_eq!(answer[name], Json::Null, "{name}");
    }
    for name in [
        "checkmate",
        "stalemate",
        "variant_win",
        "variant_loss",
        "insufficient_material",
    ] {
        assert_eq!(answer[name], false, "{name}");
    }
    let moves = answer["moves"].as_array().unwrap();
    // Seen by the opponent after the best move: mated in 13 moves.
    assert_eq!(moves[0]["category"], "loss");
    assert_eq!(moves[0]["dtm"], -26);
    let hanging = moves.iter().find(|m| m["uci"] == "h1h3").unwrap();
    assert!(hanging["san"].as_str().unwrap().starts_with('R'));
    // Ouk's limit is one move lower.
    assert_eq!(
        served.get(&format!("/ouk?fen={ROOK}")).json()["category"],
        "cursed-win"
    );
    assert_eq!(
        served.get(&format!("/cambodian?fen={ROOK}")).json(),
        served.get(&format!("/ouk?fen={ROOK}")).json()
    );
}

#[test]
fn a_capture_leaves_insufficient_material() {
    let reply = Served::shared().get("/makruk?fen=8/8/8/8/4K3/8/1k6/2R5_b");
    let answer = reply.json();
    assert_eq!(answer["category"], "draw");
    let taken = &answer["moves"][0];
    assert_eq!(taken["uci"], "b2c1");
    assert_eq!(taken["zeroing"], true);
    assert_eq!(taken["insufficient_material"], true);
    assert_eq!(answer["insufficient_material"], false);
}

#[test]
fn main_lines_end_in_mate_with_the_count() {
    let served = Served::shared();
    let line = served.get(&format!("/makruk/mainline?fen={ROOK}")).json();
    let moves = line["mainline"].as_array().unwrap();
    assert_eq!(moves.len(), 27);
    assert_eq!(line["winner"], "w");
    assert_eq!(line["dtm"], 27);
    assert_eq!(moves[26]["dtm"], 0);
    assert!(moves[26]["san"].as_str().unwrap().ends_with('#'));
    assert_eq!(moves[1]["counted"], 4);
    let ours = served.get(&format!("/v1/line?fen={ROOK}")).json();
    let uci = |moves: &Json| {
        let moves = moves.as_array().unwrap().iter();
        moves.map(|m| m["uci"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(uci(&line["mainline"]), uci(&ours["moves"]));
    assert_eq!(ours["moves"][26]["fen"], ours["last_fen"]);
}

#[test]
fn the_explorer_gets_every_number_of_the_count() {
    let fen = "8/8/8/3k4/8/3K4/2SM4/8_w";
    let served = Served::shared();
    let page = served.get(&format!("/v1/explore?fen={fen}")).json();
    assert_eq!(
        page["answer"],
        served.get(&format!("/v1/probe?fen={fen}")).json()
    );
    let numbers = &page["numbers"];
    assert_eq!(numbers["to"], 44);
    let runs = numbers["runs"].as_array().unwrap();
    // Each number is also asked by itself, and must agree with its run.
    for number in numbers["from"].as_u64().unwrap()..=44 {
        let asked = served
            .get(&format!("/v1/probe?fen={fen}&count={number}"))
            .json();
        let run = runs.iter().find(|run| {
            run["from"].as_u64().unwrap() <= number && number <= run["to"].as_u64().unwrap()
        });
        assert_eq!(run.unwrap()["category"], asked["category"], "{number}");
        let i = (number - numbers["from"].as_u64().unwrap()) as usize;
        assert_eq!(
            numbers["available"]["white"][i],
            asked["count"]["moves_available"]
        );
        for (m, details) in page["answer"]["moves"]
            .as_array()
            .unwrap()
            .iter()
            .zip(page["moves"].as_array().unwrap())
        {
            let same = asked["moves"]
                .as_array()
                .unwrap()
                .iter()
                .find(|other| other["uci"] == m["uci"])
                .unwrap();
            let run = details["runs"].as_array().unwrap().iter().find(|run| {
                run["from"].as_u64().unwrap() <= number && number <= run["to"].as_u64().unwrap()
            });
            assert_eq!(
                run.unwrap()["category"],
                same["category"],
                "{number} {}",
                m["uci"]
            );
        }
    }
    let sets = page["rule_sets"].as_array().unwrap();
    assert_eq!(sets.len(), 3);
    for set in sets {
        let rules = set["rules"].as_str().unwrap();
        let fen = if rules == "asean" {
            "8/8/8/3k4/8/3K4/2BQ4/8_w"
        } else {
            fen
        };
        let asked = served
            .get(&format!("/v1/probe?fen={fen}&rules={rules}"))
            .json();
        assert_eq!(
            (&set["category"], &set["count"]),
            (&asked["category"], &asked["count"])
        );
    }
}

#[test]
fn a_count_is_not_carried_to_another_rule_set() {
    let board = ["8/8/8/3k4/8/3K4/2SM4/8_w", "8/8/8/3k4/8/3K4/2BQ4/8_w"];
    let served = Served::shared();
    let page = served
        .get(&format!("/v1/explore?fen={}_-_88_25_1", board[0]))
        .json();
    let sets = page["rule_sets"].as_array().unwrap();
    assert_eq!(sets[0]["count"]["counted"], 13);
    for set in &sets[1..] {
        let rules = set["rules"].as_str().unwrap();
        let fen = board[usize::from(rules == "asean")];
        let fresh = served
            .get(&format!("/v1/probe?fen={fen}&rules={rules}"))
            .json();
        assert_eq!(set["count"], fresh["count"], "{rules}");
        assert_eq!(set["category"], fresh["category"], "{rules}");
    }
}

#[test]
fn lines_are_saved_as_pgn() {
    let reply = Served::shared().get(&format!("/v1/line.pgn?fen={ROOK}"));
    assert_eq!(
        reply.header("content-type"),
        "application/x-chess-pgn; charset=utf-8"
    );
    assert!(reply.text().starts_with("[Event "));
    assert!(reply.text().trim_end().ends_with("1-0"));
}

#[test]
fn many_positions_are_asked_at_once() {
    let body = "8/8/8/8/8/2k5/8/K6R w\n{\"fen\": \"8/8/8/3k4/8/3K4/2BQ4/8 w\", \"rules\": \"asean\", \"count\": 3}\nnonsense\n\n";
    let reply = Served::shared().ask("POST", "/v1/probe", &[], body.as_bytes());
    assert_eq!(reply.status, 200);
    let lines: Vec<Json> = reply
        .text()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["dtm"], 14);
    assert_eq!(lines[1]["count"]["counted"], 3);
    assert_eq!(lines[2]["fen"], "nonsense");
    assert_eq!(lines[2]["error"]["kind"], "input");
}

#[test]
fn tags_spare_the_client_what_it_has() {
    let served = Served::shared();
    for path in [
        format!("/v1/probe?fen={ROOK}"),
        format!("/makruk?fen={ROOK}"),
        "/v1/endings/KSMvK".to_string(),
        "/v1/manifest.json".to_string(),
        "/tables/KRvK.skm".to_string(),
        "/style.css".to_string(),
    ] {
        let first = served.get(&path);
        let tag = first.header("etag").to_string();
        assert!(tag.starts_with('"') && tag.len() > 20, "{path}: {tag}");
        let again = served.ask("GET", &path, &[("If-None-Match", &tag)], b"");
        assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
        assert_eq!(again.header("etag"), tag);
        let among = format!("\"other\", W/{tag}");
        assert_eq!(
            served
                .ask("GET", &path, &[("If-None-Match", &among)], b"")
                .status,
            304
        );
        let other = served.ask("GET", &path, &[("If-None-Match", "\"other\"")], b"");
        assert_eq!(other.status, 200);
    }
    // The same question spelled differently has the same tag; another question has another.
    let tag = |path: &str| served.get(path).header("etag").to_string();
    let one = tag(&format!("/v1/probe?fen={ROOK}"));
    assert_eq!(
        one,
        tag(&format!(
            "/v1/probe?rules=MAKRUK&fen={}_-_-_0_1",
            ROOK.replace('_', "%20")
        ))
    );
    assert_ne!(one, tag(&format!("/v1/probe?fen={ROOK}&rules=ouk")));
    assert_ne!(one, tag(&format!("/v1/probe?fen={ROOK}&count=4")));
}

#[test]
fn answers_are_compressed_and_tables_never() {
    let served = Served::shared();
    let gzip = [("Accept-Encoding", "br;q=1.0, gzip;q=0.8")];
    let path = format!("/v1/probe?fen={ROOK}");
    let plain = served.get(&path);
    let packed = served.ask("GET", &path, &gzip, b"");
    assert_eq!(packed.header("content-encoding"), "gzip");
    assert_eq!(packed.header("vary"), "accept-encoding");
    assert_ne!(packed.header("etag"), plain.header("etag"));
    let mut text = String::new();
    let mut decoder = flate2::read::GzDecoder::new(packed.body.as_slice());
    std::io::Read::read_to_string(&mut decoder, &mut text).unwrap();
    assert_eq!(text, plain.text());
    let table = served.ask("GET", "/tables/KRvK.skm", &gzip, b"");
    assert_eq!(table.header("content-encoding"), "");
    assert!(table.header("cache-control").contains("no-transform"));
    let refused = served.ask("GET", &path, &[("Accept-Encoding", "gzip;q=0")], b"");
    assert_eq!(refused.header("content-encoding"), "");
}

#[test]
fn endings_have_their_figures() {
    let served = Served::shared();
    let list = served.get("/v1/endings").json();
    let names: Vec<_> = list["endings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["material"].as_str().unwrap())
        .collect();
    assert!(
        names.contains(&"KSMvK") && names.contains(&"KRvKN"),
        "{names:?}"
    );
    let ending = served.get("/v1/endings/KSMvK").json();
    assert_eq!(ending["rules"][0]["limit"], 44);
    let longest = ending["rules"][0]["longest"]["moves"].as_u64().unwrap() as usize;
    assert_eq!(longest, 57);
    assert!(
        ending["examples"]["white_to_move"]["white_wins"][57].is_string()
            || ending["examples"]["black_to_move"]["white_wins"][57].is_string()
    );
    for other in ["KMSvK", "ksmvk", "KvKSM"] {
        let moved = served.get(&format!("/v1/endings/{other}"));
        assert_eq!(
            (moved.status, moved.header("location")),
            (301, "/v1/endings/KSMvK"),
            "{other}"
        );
    }
}

#[test]
fn random_positions_have_the_verdict_asked_for() {
    let served = Served::shared();
    for category in ["win", "cursed-win", "draw", "blessed-loss", "loss"] {
        let path = format!("/v1/random?ending=KSMvK&category={category}&seed=7");
        let found = served.get(&path).json();
        let fen = found["fen"].as_str().unwrap().replace(' ', "_");
        assert_eq!(
            served.get(&format!("/v1/probe?fen={fen}")).json()["category"],
            category
        );
        assert_eq!(served.get(&path).json(), found, "one seed, one position");
    }
    for range in ["3", "10..12", "30..30"] {
        let path = format!("/v1/random?ending=KSMvK&category=win&dtm={range}&seed=5");
        let fen = served.get(&path).json()["fen"]
            .as_str()
            .unwrap()
            .replace(' ', "_");
        let dtm = &served.get(&format!("/v1/probe?fen={fen}")).json()["dtm"];
        let (from, to) = range.split_once("..").unwrap_or((range, range));
        let bounds = from.parse::<u64>().unwrap()..=to.parse().unwrap();
        assert!(bounds.contains(&dtm.as_u64().unwrap()), "{range}: {dtm}");
    }
    served
        .get("/v1/random?ending=KRvK&category=loss&turn=w")
        .is_error(404, "not-found");
    served
        .get("/v1/random?ending=KRvK&dtm=3..x")
        .is_error(400, "input");
}

#[test]
fn a_service_says_how_it_does() {
    let served = Served::shared();
    assert_eq!(served.get("/healthz").text(), "ok\n");
    assert_eq!(served.get("/readyz").text(), "ready\n");
    served.get(&format!("/v1/probe?fen={ROOK}"));
    let metrics = served.get("/metrics");
    for line in [
        "sakmak_requests_total{route=\"/v1/probe\",status=\"200\"}",
        "# TYPE sakmak_request_seconds histogram",
        "sakmak_request_seconds_bucket{le=\"+Inf\"}",
        "sakmak_connections ",
    ] {
        assert!(metrics.text().contains(line), "{line}: {}", metrics.text());
    }
    assert!(served.get("/robots.txt").text().contains("Disallow: /v1/"));
}

#[test]
fn the_page_asks_nobody_else() {
    let served = Served::shared();
    let page = served.get("/?fen=%3Cscript%3Ealert(1)&rules=ouk");
    assert_eq!(page.status, 200);
    assert!(
        page.header("content-security-policy")
            .starts_with("default-src 'self'")
    );
    assert!(page.text().contains("page.js") && !page.text().contains("alert(1)"));
    assert!(!page.text().contains("https://"));
    for (path, text) in sakmak_explorer::serve::page_files() {
        assert_eq!(served.get(path).text(), text, "{path}");
        assert!(!text.contains("https://"), "{path}");
    }
}

/// The page comes with the answer that it would request first: to the question in its address, or
/// about its initial position.
#[test]
fn the_first_answer_comes_with_the_page() {
    let served = Served::shared();
    let start = "8/8/8/3k4/8/3K4/2SM4/8_w_-_-_0_1";
    let counted = "8/8/8/3k4/8/3K4/2BQ4/8_b_-_-_0_7";
    for (query, fen, rules) in [
        ("", start, "makruk"),
        ("?lang=th", start, "makruk"),
        (&*format!("?fen={counted}&rules=asean"), counted, "asean"),
        (
            "?fen=8/8/8/3k4/8/3K4/2SM4/8+w&rules=cambodian",
            start,
            "ouk",
        ),
    ] {
        let page = served.get(&format!("/{query}"));
        let known = known(page.text());
        let address = format!("/v1/explore?fen={fen}&rules={rules}");
        assert_eq!(known[&address], served.get(&address).json(), "{query}");
        assert_eq!(known["/v1/endings"], served.get("/v1/endings").json());
        let title = match query.contains("fen=") {
            true => "<title>K+S+M v K: ",
            false => "<title>sakmak</title>",
        };
        assert!(page.text().contains(title), "{query}");
        // Its tag belongs to this question.
        let tag = page.header("etag").to_string();
        let again = served.ask("GET", &format!("/{query}"), &[("if-none-match", &tag)], b"");
        assert_eq!(again.status, 304, "{query}");
        let other = served.ask(
            "GET",
            "/?fen=8/8/8/8/2k5/8/K7/7R_w",
            &[("if-none-match", &tag)],
            b"",
        );
        assert_eq!(other.status, 200, "{query}");
    }
    // Without an embedded answer the page asks, and reports the error.
    for query in [
        "?fen=x",
        "?fen=8/8/8/3k4/8/3K4/3r4/3R4_w",
        "?fen=8/8/8/3k4/8/3K4/2SM4/8_w&fen=x",
    ] {
        let known = known(served.get(&format!("/{query}")).text());
        assert_eq!(known.as_object().unwrap().len(), 1, "{query}");
    }
}

/// The answers embedded in a page.
fn known(page: &str) -> Json {
    let (_, rest) = page.split_once("id=\"known\">").unwrap();
    let (known, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(known).unwrap()
}

/// Of equal moves the reply leaves the opponent the fewest moves that keep the result.
#[test]
fn replies_resist() {
    let served = Served::shared();
    let points = |category: &Json| match category.as_str().unwrap() {
        "win" => 1,
        "loss" => -1,
        _ => 0,
    };
    for seed in 0..40 {
        let ending = ["KSMvK", "KRvKN", "KRvK"][seed % 3];
        let turn = ["w", "b"][seed % 2];
        let found = served.get(&format!(
            "/v1/random?ending={ending}&turn={turn}&seed={seed}"
        ));
        let fen = found.json()["fen"].as_str().unwrap().replace(' ', "_");
        let document = served.get(&format!("/v1/explore?fen={fen}")).json();
        let reply = served.get(&format!("/v1/reply?fen={fen}")).json();
        let moves = document["answer"]["moves"].as_array().unwrap();
        if moves.is_empty() {
            assert!(reply["move"].is_null(), "{fen}");
            continue;
        }
        let played = moves
            .iter()
            .position(|m| m["uci"] == reply["move"]["uci"])
            .unwrap();
        assert_eq!(moves[played]["category"], moves[0]["category"], "{fen}");
        if points(&moves[0]["category"]) == 1 {
            assert_eq!(played, 0, "{fen}: the quickest win");
            continue;
        }
        let keeping = |index: usize| {
            let next = document["moves"][index]["fen"]
                .as_str()
                .unwrap()
                .replace(' ', "_");
            let answer = served.get(&format!("/v1/probe?fen={next}")).json();
            let replies = answer["moves"].as_array().unwrap().clone();
            let best = replies.first().map(|reply| points(&reply["category"]));
            let keeping = replies
                .iter()
                .filter(|reply| Some(points(&reply["category"])) == best);
            keeping.count()
        };
        let fewest = keeping(played);
        assert_eq!(reply["move"]["keeping"], fewest, "{fen}");
        for (index, m) in moves.iter().enumerate() {
            if m["category"] == moves[0]["category"] {
                let other = keeping(index);
                assert!(
                    other > fewest || (other == fewest && index >= played),
                    "{fen}: {m}"
                );
            }
        }
    }
}

#[test]
fn the_description_lists_every_route() {
    let served = Served::shared();
    let document = served.get("/openapi.json").json();
    let paths = document["paths"].as_object().unwrap();
    for path in [
        "/makruk",
        "/ouk/mainline",
        "/v1/probe",
        "/v1/explore",
        "/v1/line",
        "/v1/line.pgn",
        "/v1/moves",
        "/v1/why",
        "/v1/course",
        "/v1/reply",
        "/v1/puzzles",
        "/v1/random",
        "/v1/endings",
        "/v1/endings/{ending}",
        "/v1/manifest.json",
        "/picture.png",
        "/tables/{file}",
        "/healthz",
        "/readyz",
        "/metrics",
    ] {
        assert!(paths.contains_key(path), "{path}");
    }
    // The described fields equal those of the answers.
    let fields = |schema: &str| -> Vec<String> {
        let properties = &document["components"]["schemas"][schema]["properties"];
        properties.as_object().unwrap().keys().cloned().collect()
    };
    let keys =
        |value: &Json| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    let answer = served.get(&format!("/v1/probe?fen={ROOK}")).json();
    // Others come only where distances are missing, or where a move ends the last bia.
    let required = |schema: &str| -> Vec<String> {
        let required = document["components"]["schemas"][schema]["required"].clone();
        let mut names: Vec<String> = serde_json::from_value(required).unwrap();
        names.sort_unstable();
        names
    };
    assert_eq!(required("Answer"), keys(&answer));
    assert_eq!(required("Move"), keys(&answer["moves"][0]));
    assert_eq!(fields("Count"), keys(&answer["count"]));
    let lila = served.get(&format!("/makruk?fen={ROOK}")).json();
    assert_eq!(fields("LilaAnswer"), keys(&lila));
    assert_eq!(fields("LilaMove"), keys(&lila["moves"][0]));
    let line = served.get(&format!("/v1/line?fen={ROOK}")).json();
    assert_eq!(fields("Line"), keys(&line));
    assert_eq!(fields("LineMove"), keys(&line["moves"][0]));
    let reply = served.get(&format!("/v1/reply?fen={ROOK}")).json();
    assert_eq!(fields("Reply"), keys(&reply));
    let moves = served.get(&format!("/v1/moves?fen={ROOK}")).json();
    assert_eq!(fields("Moves"), keys(&moves));
    assert_eq!(fields("GameMove"), keys(&moves["moves"][0]));
    let why = served.get(&format!("/v1/why?fen={ROOK}&move=a1b1")).json();
    assert_eq!(fields("Why"), keys(&why));
    assert_eq!(fields("WhyMove"), keys(&why["moves"][0]));
    let question = served.get("/v1/course?lesson=limit").json();
    assert_eq!(fields("Question"), keys(&question));
    let puzzles = served.get("/v1/puzzles?ending=KSMvK&limit=1").json();
    assert_eq!(fields("Puzzle"), keys(&puzzles));
    let error = served.get("/v1/probe").json();
    assert_eq!(fields("Error"), keys(&error));
    assert_eq!(json!(error["error"]["kind"]), "input");
}
