//! scratch
use sakmak::board::*;
use sakmak::material::*;
use sakmak::solve::*;
use std::collections::HashMap;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let mats = parse_set(&args[1]).unwrap();
    let refs: serde_json::Value = serde_json::from_str(
        &std::fs::read_to_string("/work/shared/reference/dtm-3-4-men.json").unwrap(),
    )
    .unwrap();
    let mut sols: HashMap<CanonicalMaterial, Solution> = HashMap::new();
    let big: u64 = args.get(2).map_or(1, |s| s.parse().unwrap());
    for m in mats {
        let frame = Frame::new(m, Color::White);
        let t = Instant::now();
        let mut leaves = vec![];
        for g in 0..frame.groups().len() {
            let mut mm = m.material();
            mm.white = mm.white.without(frame.groups()[g].role).unwrap();
            if mm.men() == 2 {
                continue;
            }
            let sub = &sols[&mm.canonical().0];
            if sub.winner_to_move.largest() == 0 {
                continue;
            }
            let rest = frame.without(g);
            let sl = sub.frame.layout(mm.canonical().0);
            let map: Vec<usize> = sl
                .groups()
                .iter()
                .map(|x| rest.groups().iter().position(|y| x == y).unwrap())
                .collect();
            leaves.push(Leaf::collect(&frame, g, &|k, men, out| {
                let tr = sl.to_domain(k);
                let n = sl.number(k, Square::wrapping(0), |gg| men[map[gg]]);
                let base = (n / 64) as usize;
                for s in Square::all() {
                    out[s.index()] = sub.winner_to_move.get(base, tr.square(s).index());
                }
                let _ = tr;
            }));
        }
        let tl = t.elapsed();
        let t = Instant::now();
        let cells = frame.lanes() as u64 * 128;
        let simd = match args.get(3).map(|s| s.as_str()) {
            Some("p") => Simd::Portable,
            Some("2") => Simd::Avx2,
            _ => Simd::detect(),
        };
        let sol = solve(frame, leaves, simd, &mut |_| {});
        let el = t.elapsed();
        let w: Vec<u64> = sol.tally.winner_wins.iter().map(|x| x.0).collect();
        let b: Vec<u64> = sol.tally.loser_losses.iter().map(|x| x.0).collect();
        let name = m.to_string();
        let tr = |v: &Vec<u64>| {
            let mut v = v.clone();
            while v.len() > 1 && *v.last().unwrap() == 0 {
                v.pop();
            }
            v
        };
        let (w, b) = (tr(&w), tr(&b));
        let ok = refs["materials"].get(&name).map(|r| {
            let g = |s: &str| {
                r[s]["white_wins"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|x| x.as_u64().unwrap())
                    .collect::<Vec<_>>()
            };
            (
                g("white_to_move") == w,
                g("black_to_move") == b,
                r["white_to_move"]["legal"] == sol.tally.winner_legal,
                r["black_to_move"]["legal"] == sol.tally.loser_legal,
            )
        });
        println!(
            "{name} leaves {tl:?} solve {el:?} {:.1}M cells/s wall, longest {} {} {:?} ok={ok:?}",
            cells as f64 / el.as_secs_f64() / 1e6,
            w.len() - 1,
            b.len() - 1,
            sol.steps
        );
        if m.men() as u64 >= 5 && big == 0 {
            continue;
        }
        sols.insert(m, sol);
    }
}
