//! scratch
use sakmak::generate::*;
use sakmak::material::*;
use sakmak::table::*;
use std::path::Path;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let dir = Path::new(&args[1]);
    let level: i32 = args[3].parse().unwrap();
    let block: u32 = args[4].parse().unwrap();
    let only = args.get(5);
    let mut tot = (0u64, 0u64);
    for m in parse_set(&args[2]).unwrap() {
        if let Some(o) = only
            && *o != m.to_string()
        {
            continue;
        }
        let t = std::time::Instant::now();
        let marks = std::sync::Mutex::new((0.0, 0.0));
        let r = generate_table(
            m,
            dir,
            &|rest| dir.join(file_name(rest)),
            &WriteOptions {
                level,
                block_cells: block,
                dictionary_bytes: 0,
            },
            &|p| match p {
                Progress::Choosing => marks.lock().unwrap().0 = t.elapsed().as_secs_f64(),
                Progress::Written(_, _) => {
                    let mut g = marks.lock().unwrap();
                    if g.1 == 0.0 {
                        g.1 = t.elapsed().as_secs_f64()
                    }
                }
                _ => {}
            },
        )
        .unwrap();
        let legal = r.statistics.white_to_move.legal();
        let tb = TableFile::open_as(&dir.join(format!("{m}.skm")), m, Access::Map).unwrap();
        let h = tb.section(Metric::Dtm).unwrap();
        let sym = h.header().info.symmetry;
        let l2 = legal as f64 / if sym == 1 { 2.0 } else { 8.0 };
        tot.0 += r.bytes;
        tot.1 += l2 as u64;
        let mk = marks.lock().unwrap();
        println!(
            "{m} {:.0}M/cpu-s solve {:.2}s prep {:.2} choose {:.2} all {:.2}s {} bytes {:.3} bits/legal order {:?}",
            r.cells_per_cpu_second() / 1e6,
            r.solve_elapsed.as_secs_f64(),
            mk.0,
            mk.1 - mk.0,
            r.elapsed.as_secs_f64(),
            r.bytes,
            r.bytes as f64 * 8.0 / l2,
            h.header().info.order
        );
    }
    println!(
        "total {} bytes {:.3} bits",
        tot.0,
        tot.0 as f64 * 8.0 / tot.1 as f64
    );
}
