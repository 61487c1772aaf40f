//! Metrics of the server, in Prometheus format.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sakmak::probe::CacheStatistics;

/// The upper bounds of the histogram's buckets, in microseconds.
const BUCKETS: [u64; 10] = [
    50, 100, 250, 500, 1_000, 5_000, 25_000, 100_000, 1_000_000, 10_000_000,
];

/// Counters of the server since its start.
#[derive(Debug, Default)]
pub struct Metrics {
    requests: Mutex<BTreeMap<(&'static str, u16), u64>>,
    buckets: [AtomicU64; BUCKETS.len() + 1],
    microseconds: AtomicU64,
    /// The number of requests that are being answered.
    pub(super) in_flight: AtomicU64,
    /// The number of open connections.
    pub(super) connections: AtomicU64,
    /// The number of bytes of tables that were sent.
    pub(super) table_bytes: AtomicU64,
}

impl Metrics {
    /// Counts a request that has been answered.
    pub(super) fn request(&self, route: &'static str, status: u16, took: Duration) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        *requests.entry((route, status)).or_default() += 1;
        drop(requests);
        let took = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = BUCKETS.partition_point(|&end| end < took);
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        self.microseconds.fetch_add(took, Ordering::Relaxed);
    }

    /// Writes all metrics in Prometheus format.
    pub(super) fn text(
        &self,
        cache: CacheStatistics,
        tables: usize,
        searches: usize,
        lost: u64,
    ) -> String {
        let mut text = String::new();
        let mut family = |name: &str, kind: &str, help: &str, lines: &[(String, String)]| {
            let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
            for (labels, value) in lines {
                let _ = writeln!(text, "{name}{labels} {value}");
            }
        };
        let one = |value: u64| vec![(String::new(), value.to_string())];
        let requests: Vec<_> = {
            let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
            let line = |(&(route, status), n): (&(&str, u16), &u64)| {
                let labels = format!("{{route=\"{route}\",status=\"{status}\"}}");
                (labels, n.to_string())
            };
            requests.iter().map(line).collect()
        };
        family(
            "sakmak_requests_total",
            "counter",
            "Requests answered.",
            &requests,
        );
        let load = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let gauges = [
            (
                "sakmak_requests_in_flight",
                "Requests being answered.",
                load(&self.in_flight),
            ),
            (
                "sakmak_connections",
                "Connections that are open.",
                load(&self.connections),
            ),
            (
                "sakmak_searches",
                "Searches that run or wait.",
                searches as u64,
            ),
            ("sakmak_tables", "Tables that are served.", tables as u64),
        ];
        for (name, help, value) in gauges {
            family(name, "gauge", help, &one(value));
        }
        let counters = [
            (
                "sakmak_table_bytes_total",
                "Bytes of tables sent.",
                load(&self.table_bytes),
            ),
            (
                "sakmak_cache_hits_total",
                "Cells found in decoded blocks.",
                cache.hits,
            ),
            (
                "sakmak_cache_misses_total",
                "Cells read whose block had to be decoded.",
                cache.misses,
            ),
            (
                "sakmak_log_lines_lost_total",
                "Lines of the log that could not be written.",
                lost,
            ),
        ];
        for (name, help, value) in counters {
            family(name, "counter", help, &one(value));
        }
        let name = "sakmak_request_seconds";
        let _ = writeln!(
            text,
            "# HELP {name} Time from a request to its response, in seconds.\n# TYPE {name} histogram"
        );
        let mut below = 0;
        for (i, bucket) in self.buckets.iter().enumerate() {
            below += load(bucket);
            let end = match BUCKETS.get(i) {
                Some(&end) => (end as f64 / 1e6).to_string(),
                None => "+Inf".to_string(),
            };
            let _ = writeln!(text, "{name}_bucket{{le=\"{end}\"}} {below}");
        }
        let seconds = load(&self.microseconds) as f64 / 1e6;
        let _ = writeln!(text, "{name}_sum {seconds}\n{name}_count {below}");
        text
    }
}
