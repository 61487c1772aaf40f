//! Levels of vector instructions, and functions compiled for each level.
//!
//! The inner loops of the solver and of the table readers are plain loops over words and bytes.
//! They are compiled once for each level, so that the compiler can use wider registers on machines
//! that have them. All levels give the same results.

/// A level of vector instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Simd {
    /// The target's default instructions.
    Portable,
    /// x86-64 with AVX2.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    Avx2,
    /// x86-64 with AVX-512 F, BW, DQ, VL and VPOPCNTDQ.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    Avx512,
}

impl Simd {
    /// The best level that this machine supports.
    pub fn detect() -> Simd {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vpopcntdq")
                && is_x86_feature_detected!("bmi2")
            {
                return Simd::Avx512;
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
                return Simd::Avx2;
            }
        }
        Simd::Portable
    }

    /// The levels that this machine supports, the lowest first.
    pub fn available() -> Vec<Simd> {
        let all = [Simd::Portable, Simd::Avx2, Simd::Avx512];
        let best = Simd::detect();
        let end = all.iter().position(|&s| s == best).unwrap_or(0);
        all[..=end].to_vec()
    }
}

/// Defines a function that runs `$body`, compiled for the vector level given as the function's
/// first argument. `$body` is an `#[inline(always)]` function with the same arguments. Both may
/// have one generic type parameter.
macro_rules! for_each_level {
    ($(#[$meta:meta])* $visible:vis fn $name:ident $(<$generic:ident: $bound:path>)? ($($arg:ident: $type:ty),* $(,)?)
        $(-> $ret:ty)? = $body:path;) => {
        $(#[$meta])*
        #[allow(clippy::too_many_arguments)]
        $visible fn $name $(<$generic: $bound>)? (simd: $crate::simd::Simd, $($arg: $type),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
                #[allow(clippy::too_many_arguments)]
                fn avx2 $(<$generic: $bound>)? ($($arg: $type),*) $(-> $ret)? { $body($($arg),*) }
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2,popcnt,bmi1,bmi2")]
                #[allow(clippy::too_many_arguments)]
                fn avx512 $(<$generic: $bound>)? ($($arg: $type),*) $(-> $ret)? { $body($($arg),*) }
                match simd {
                    // SAFETY: a level other than Portable is used only if `Simd::detect` found it
                    // on this machine.
                    $crate::simd::Simd::Avx512 => return unsafe { avx512($($arg),*) },
                    // SAFETY: a level other than Portable is used only if `Simd::detect` found it
                    // on this machine.
                    $crate::simd::Simd::Avx2 => return unsafe { avx2($($arg),*) },
                    $crate::simd::Simd::Portable => {}
                }
            }
            let _ = simd;
            $body($($arg),*)
        }
    };
}
pub(crate) use for_each_level;
