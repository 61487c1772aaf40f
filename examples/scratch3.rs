//! scratch
use sakmak::material::*;
use sakmak::table::*;
use sakmak::verify::*;
use std::path::Path;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let dir = Path::new(&args[1]);
    let only = args.get(3);
    for m in parse_set(&args[2]).unwrap() {
        if let Some(o) = only
            && *o != m.to_string()
        {
            continue;
        }
        let t = std::time::Instant::now();
        let src = |m: CanonicalMaterial| {
            TableFile::open_as(&dir.join(format!("{m}.skm")), m, Access::Map)
        };
        let v = verify_table(m, &src).unwrap();
        println!(
            "{m} {} {:?} {:.2}s",
            v.is_right(),
            v,
            t.elapsed().as_secs_f64()
        );
    }
}
