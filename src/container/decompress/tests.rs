//! Compares the two zstd libraries: both must accept the same frames and decode them to the same
//! bytes.

use zstd::bulk::Compressor;
use zstd::zstd_safe::CParameter;

use super::{FRAME_MAGIC, MAX_WINDOW, c, rust};

/// The decompression contexts of both libraries.
struct Both {
    c: c::Decompressor,
    rust: rust::Decompressor,
}

impl Both {
    fn new() -> Both {
        Both {
            c: c::Decompressor::new(),
            rust: rust::Decompressor::new(),
        }
    }

    /// Decompresses a frame with each library into a buffer of `size` bytes, and returns both
    /// results.
    fn decompress(&mut self, frame: &[u8], size: usize) -> [Option<Vec<u8>>; 2] {
        let mut out = [vec![0; size], vec![0; size]];
        let [by_c, by_rust] = &mut out;
        let n = self.c.decompress(frame, by_c);
        let m = self.rust.decompress(frame, by_rust);
        let [by_c, by_rust] = out;
        [(n, by_c), (m, by_rust)].map(|(n, mut out)| {
            out.truncate(n?);
            Some(out)
        })
    }
}

/// A small linear congruential generator.
struct Noise(u64);

impl Noise {
    fn below(&mut self, limit: usize) -> usize {
        let state = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = state.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// Returns byte strings that resemble blocks: runs, repetitions, and random bytes with few or many
/// different values.
fn blocks() -> Vec<Vec<u8>> {
    let mut noise = Noise(1);
    let mut block = |i: usize| {
        let n = [1, 7, 300, 5120, 32_768, 200_000][i % 6];
        let mut bytes: Vec<u8> = Vec::new();
        while bytes.len() < n {
            let length = 1 + noise.below(40);
            let value = noise.below([2, 12, 256][i % 3]) as u8;
            match noise.below(4) {
                0 => bytes.extend(std::iter::repeat_n(value, length)),
                1 => bytes.extend((0..length).map(|_| noise.below(5).pow(2) as u8)),
                2 => bytes.extend((0..length as u8).map(|j| j.wrapping_mul(value))),
                _ => {
                    let from = noise.below(bytes.len() + 1);
                    let to = (from + 3 * length).min(bytes.len());
                    bytes.extend_from_within(from..to);
                }
            }
        }
        bytes.truncate(n);
        bytes
    };
    (0..60).map(&mut block).collect()
}

/// Compresses `plain` to a frame, as the table writer does.
fn frame(plain: &[u8], level: i32) -> Vec<u8> {
    let mut context = Compressor::new(level).unwrap();
    for no in [
        CParameter::DictIdFlag(false),
        CParameter::ChecksumFlag(false),
        CParameter::ContentSizeFlag(false),
    ] {
        context.set_parameter(no).unwrap();
    }
    context.compress(plain).unwrap()
}

#[test]
fn frames_round_trip() {
    let mut both = Both::new();
    for plain in blocks() {
        for level in [1, 12, 19] {
            let frame = frame(&plain, level);
            let good = [Some(plain.clone()), Some(plain.clone())];
            assert_eq!(both.decompress(&frame, plain.len()), good);
            assert_eq!(both.decompress(&frame, plain.len() + 100), good);
            assert_eq!(both.decompress(&frame, plain.len() - 1), [None, None]);
            for end in [0, 3, 4, 5, frame.len() / 2, frame.len() - 1] {
                assert_eq!(both.decompress(&frame[..end], plain.len()), [None, None]);
            }
            // The frame of a model contains its length.
            let frame = zstd::bulk::compress(&plain, level).unwrap();
            assert_eq!(both.decompress(&frame, plain.len() + 1), good);
        }
    }
}

#[test]
fn anything_but_a_single_table_frame_is_refused() {
    let mut both = Both::new();
    let plain = vec![5; 4000];
    let good = frame(&plain, 3);
    assert_eq!(good[4] & 0b1111, 0);
    let mut refused = |what: &str, frame: &[u8]| {
        assert_eq!(both.decompress(frame, 1 << 20), [None, None], "{what}");
    };
    for bit in 0..4 {
        let mut bytes = good.clone();
        bytes[4] |= 1 << bit;
        refused("a checksum, a dictionary ID or a reserved bit", &bytes);
    }
    refused("two frames", &[good.clone(), good.clone()].concat());
    refused("a byte too many", &[&good[..], &[0]].concat());
    let skippable = [0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0];
    refused("a skippable frame", &[&skippable[..], &good].concat());
    refused("only a skippable frame", &skippable);
    let log = MAX_WINDOW.ilog2() as u8;
    for window in [(log - 10) << 3 | 1, u8::MAX] {
        let mut bytes = good.clone();
        bytes[5] = window;
        refused("too large a window", &bytes);
    }
    // The frame claims 2⁶² bytes, all in its window.
    let mut vast = [&FRAME_MAGIC[..], &[0b1110_0000]].concat();
    vast.extend_from_slice(&(1u64 << 62).to_le_bytes());
    vast.extend_from_slice(&good[6..]);
    refused("an impossible number of bytes", &vast);
    // Half a million runs of 2¹⁷ bytes each, in two megabytes of input.
    let mut long = [&FRAME_MAGIC[..], &[0, (17 - 10) << 3]].concat();
    for _ in 0..1 << 19 {
        let run = (1u32 << 17) << 3 | 1 << 1;
        long.extend_from_slice(&run.to_le_bytes()[..3]);
        long.push(7);
    }
    refused("more bytes than fit into the output", &long);
}

/// The frames in this test have no checksum, unlike all data in a table, so some damage goes
/// unnoticed. Where the zstd format leaves decoders a choice, the two libraries occasionally
/// differ.
#[test]
fn damaged_frames_stay_in_bounds_and_mostly_decode_alike() {
    let mut noise = Noise(7);
    let [mut alike, mut refused, mut unlike] = [0; 3];
    let mut both = Both::new();
    for (i, plain) in blocks().iter().enumerate() {
        let good = frame(plain, [3, 12, 19][i % 3]);
        for _ in 0..4000 * 300 / (300 + plain.len()) + 1 {
            let mut bytes = good.clone();
            for _ in 0..=noise.below(3) {
                let at = 4 + noise.below(bytes.len() - 4);
                bytes[at] = noise.below(256) as u8;
            }
            match both.decompress(&bytes, plain.len() + 1000) {
                [None, None] => refused += 1,
                [a, b] if a == b => alike += 1,
                _ => unlike += 1,
            }
        }
    }
    assert!(alike > 1000 && refused > 1000, "{alike}, {refused}");
    assert!(unlike * 100 < alike + refused, "{unlike}");
}
