//! The addresses of clients, and the limit on the number of requests per second of each.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use axum::extract::Request;

/// The maximum number of addresses that are remembered, to bound the memory.
const MOST_ADDRESSES: usize = 100_000;

/// The address of a client.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClientAddress(pub SocketAddr);

impl ClientAddress {
    /// The address of the client that sent a request. None in tests without a socket.
    pub fn of(request: &Request) -> Option<IpAddr> {
        let address = request.extensions().get::<ClientAddress>();
        address.map(|address| address.0.ip())
    }
}

/// The allowances of the addresses that sent requests recently.
#[derive(Debug)]
pub(super) struct Rates {
    per_second: Option<f64>,
    tokens: Mutex<HashMap<IpAddr, (f64, Instant)>>,
}

impl Rates {
    /// Limits each address to this number of requests per second. None means no limit.
    pub fn new(per_second: Option<u32>) -> Rates {
        Rates {
            per_second: per_second.map(f64::from),
            tokens: Mutex::default(),
        }
    }

    /// True if a request from this address may be answered now. After a pause, an address may send
    /// up to five times its limit per second at once.
    pub fn allows(&self, address: IpAddr, now: Instant) -> bool {
        let Some(rate) = self.per_second else {
            return true;
        };
        let most = (5.0 * rate).max(1.0);
        let refilled = |tokens: f64, last: Instant| {
            let passed = now.saturating_duration_since(last).as_secs_f64();
            (tokens + passed * rate).min(most)
        };
        let mut all = self.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST_ADDRESSES {
            // An address whose allowance is full again need not be remembered.
            all.retain(|_, &mut (tokens, last)| refilled(tokens, last) < most);
            if all.len() >= MOST_ADDRESSES {
                // The loss of the allowances lets at most a few extra requests pass.
                all.clear();
            }
        }
        let (tokens, last) = all.entry(client(address)).or_insert((most, now));
        *tokens = refilled(*tokens, *last);
        *last = now;
        let allowed = *tokens >= 1.0;
        if allowed {
            *tokens -= 1.0;
        }
        allowed
    }
}

/// The address that identifies a client. For IPv6 it is the client's /64 network.
pub(super) fn client(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        address => address,
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

    #[test]
    fn many_other_addresses_do_not_renew_an_allowance() {
        let rates = Rates::new(Some(1));
        let start = Instant::now();
        let others = || (0..MOST_ADDRESSES as u32 - 1).map(|n| IpAddr::from(n.to_be_bytes()));
        assert!(others().all(|other| rates.allows(other, start)));
        let later = start + Duration::from_secs(2);
        let one = IpAddr::from([255, 0, 0, 1]);
        assert_eq!((0..20).filter(|_| rates.allows(one, later)).count(), 5);
        assert!(rates.allows([255, 0, 0, 2].into(), later));
        assert!(!rates.allows(one, later));
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let rates = Rates::new(Some(1));
        let start = Instant::now();
        let allowed = |address: &str| rates.allows(address.parse().unwrap(), start);
        assert!((0..5).all(|n| allowed(&format!("2001:db8:1:2::{n}"))));
        assert!(!allowed("2001:db8:1:2:3::1"));
        assert!(allowed("2001:db8:1:3::1"));
        // Clients with different IPv4 addresses are limited separately.
        assert!((0..5).all(|_| allowed("::ffff:192.0.2.1")));
        assert!(!allowed("192.0.2.1"));
        assert!(allowed("::ffff:192.0.2.2"));
    }
}
