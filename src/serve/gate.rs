//! Limits how many requests an address may send per second.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The largest number of addresses that are remembered. When there are more, all are forgotten.
/// This bounds the memory; at worst, a few requests too many pass.
const MOST_ADDRESSES: usize = 100_000;

/// The addresses of recent requests.
#[derive(Debug)]
pub(super) struct Rates {
    a_second: Option<f64>,
    tokens: Mutex<HashMap<IpAddr, (f64, Instant)>>,
}

impl Rates {
    /// Limits each address to this number of requests per second; none for no limit.
    pub fn new(a_second: Option<u32>) -> Rates {
        Rates {
            a_second: a_second.map(f64::from),
            tokens: Mutex::default(),
        }
    }

    /// True if a request from this address may be answered now. An address that has sent few
    /// requests may send up to five seconds' worth of them at once.
    pub fn allows(&self, address: IpAddr, now: Instant) -> bool {
        let Some(rate) = self.a_second else {
            return true;
        };
        let most = (5.0 * rate).max(1.0);
        let mut all = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST_ADDRESSES {
            all.clear();
        }
        let (tokens, last) = all.entry(address).or_insert((most, now));
        let passed = now.saturating_duration_since(*last).as_secs_f64();
        *tokens = (*tokens + passed * rate).min(most);
        *last = now;
        let allowed = *tokens >= 1.0;
        if allowed {
            *tokens -= 1.0;
        }
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn each_address_has_its_own_rate() {
        let rates = Rates::new(Some(2));
        let start = Instant::now();
        let [one, other] = [[127, 0, 0, 1], [10, 0, 0, 1]].map(IpAddr::from);
        assert_eq!((0..20).filter(|_| rates.allows(one, start)).count(), 10);
        assert!(rates.allows(other, start));
        let later = start + Duration::from_secs(1);
        assert_eq!((0..20).filter(|_| rates.allows(one, later)).count(), 2);
        assert!((0..99).all(|_| Rates::new(None).allows(one, start)));
    }
}
