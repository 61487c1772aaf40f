//! Parses byte ranges, as in RFC 9110, section 14.

use std::ops::Range;

/// The maximum number of ranges in a request. If there are more, the response is the whole file.
const MOST_RANGES: usize = 16;

/// The part of a file that a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RequestedPart {
    /// The whole file, because the request has no range or an invalid one.
    Whole,
    /// These ranges of bytes, in the order of the request. No two of them overlap or touch.
    Parts(Vec<Range<u64>>),
    /// Only bytes beyond the end of the file.
    Beyond,
}

/// Parses a `Range` header for a file of this length.
pub(super) fn requested_part(header: Option<&str>, length: u64) -> RequestedPart {
    let Some(list) = header.and_then(|header| header.strip_prefix("bytes=")) else {
        return RequestedPart::Whole;
    };
    let mut parts = Vec::new();
    for (i, spec) in list.split(',').enumerate() {
        if i == MOST_RANGES {
            return RequestedPart::Whole;
        }
        match part(spec.trim(), length) {
            // An invalid header is ignored, as if there were none.
            None => return RequestedPart::Whole,
            Some(part) if part.is_empty() => {}
            Some(part) => merge(&mut parts, part),
        }
    }
    match parts.is_empty() {
        true => RequestedPart::Beyond,
        false => RequestedPart::Parts(parts),
    }
}

/// Adds a range to ranges of which no two overlap or touch. It is merged with those that it overlaps
/// or touches, as RFC 9110, section 15.3.7.2, allows, so that no byte is sent twice.
fn merge(parts: &mut Vec<Range<u64>>, mut new: Range<u64>) {
    let meets =
        |part: &Range<u64>, new: &Range<u64>| part.start <= new.end && new.start <= part.end;
    let first = parts.iter().position(|part| meets(part, &new));
    parts.retain(|part| {
        let meets = meets(part, &new);
        if meets {
            new = new.start.min(part.start)..new.end.max(part.end);
        }
        !meets
    });
    parts.insert(first.unwrap_or(parts.len()), new);
}

/// Parses one range. The result is empty if the range lies beyond the end of the file, and None if
/// the text is not a range.
fn part(spec: &str, length: u64) -> Option<Range<u64>> {
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| text.parse().unwrap_or(u64::MAX))
    };
    match spec.split_once('-')? {
        ("", last) => Some(length.saturating_sub(number(last)?)..length),
        (first, "") => Some(number(first)?..length),
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            (first <= last).then(|| first..last.saturating_add(1).min(length))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_the_rfc_has_them() {
        let one = |range: Range<u64>| RequestedPart::Parts(vec![range]);
        for (header, expected) in [
            ("bytes=0-0", one(0..1)),
            ("bytes=2-5", one(2..6)),
            ("bytes=2-99", one(2..10)),
            ("bytes=7-", one(7..10)),
            ("bytes=-3", one(7..10)),
            ("bytes=-99", one(0..10)),
            (
                "bytes=0-1, 4-5,-1",
                RequestedPart::Parts(vec![0..2, 4..6, 9..10]),
            ),
            ("bytes=0-1,50-60", one(0..2)),
            ("bytes=0-,0-,0-,0-", one(0..10)),
            ("bytes=0-3,2-5", one(0..6)),
            ("bytes=4-5,2-3", one(2..6)),
            (
                "bytes=8-9,0-1,4-5,1-4",
                RequestedPart::Parts(vec![8..10, 0..6]),
            ),
            ("bytes=0-1,8-9,4-5,1-8", one(0..10)),
            ("bytes=10-", RequestedPart::Beyond),
            ("bytes=10-20", RequestedPart::Beyond),
            ("bytes=-0", RequestedPart::Beyond),
            ("bytes=99999999999999999999999-", RequestedPart::Beyond),
            ("bytes=5-2", RequestedPart::Whole),
            ("bytes=a-b", RequestedPart::Whole),
            ("bytes=--1", RequestedPart::Whole),
            ("bytes=", RequestedPart::Whole),
            ("rows=0-1", RequestedPart::Whole),
        ] {
            assert_eq!(requested_part(Some(header), 10), expected, "{header}");
        }
        assert_eq!(requested_part(None, 10), RequestedPart::Whole);
        let many = format!("bytes={}", ["0-1"; 17].join(","));
        assert_eq!(requested_part(Some(&many), 10), RequestedPart::Whole);
        assert_eq!(requested_part(Some("bytes=0-0"), 0), RequestedPart::Beyond);
    }
}
