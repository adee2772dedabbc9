//! Chooses at run time which processor instructions the hot functions may use.
//!
//! A hot function is written once, as a portable body that the compiler turns into vector code.
//! `multiversion!` compiles that body several times and picks one by the `Cpu` that is handed in.
//! All versions do the same arithmetic in the same order, so they give the same results.

/// The instructions that may be used. A value of this type is proof that the processor has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cpu(Level);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Cpu {
    /// Returns the fastest choice that this processor has.
    pub fn detect() -> Self {
        *Self::all().last().unwrap_or(&Cpu(Level::Portable))
    }

    /// Returns the choice that every processor has.
    pub fn portable() -> Self {
        Cpu(Level::Portable)
    }

    /// Returns all choices that this processor has, the fastest last.
    pub fn all() -> Vec<Self> {
        #[allow(unused_mut)]
        let mut choices = vec![Cpu(Level::Portable)];
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            let avx512 = is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512vpopcntdq");
            if avx2 {
                choices.push(Cpu(Level::Avx2));
            }
            if avx2 && avx512 {
                choices.push(Cpu(Level::Avx512));
            }
        }
        choices
    }

    pub(crate) fn level(self) -> Level {
        self.0
    }
}

/// Defines a function that runs a body compiled for the instructions of a `Cpu`.
///
/// The body must be `#[inline(always)]`, and so must be all that it calls in its hot loops.
macro_rules! multiversion {
    ($(#[$meta:meta])* $vis:vis fn $name:ident(
        $($arg:ident: $type:ty),* $(,)?
    ) $(-> $ret:ty)? = $body:path;) => {
        $(#[$meta])*
        #[allow(clippy::too_many_arguments)]
        $vis fn $name(cpu: $crate::cpu::Cpu, $($arg: $type),*) $(-> $ret)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            #[allow(clippy::too_many_arguments)]
            fn avx2($($arg: $type),*) $(-> $ret)? {
                $body($($arg),*)
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq")]
            #[allow(clippy::too_many_arguments)]
            fn avx512($($arg: $type),*) $(-> $ret)? {
                $body($($arg),*)
            }
            match cpu.level() {
                $crate::cpu::Level::Portable => $body($($arg),*),
                // SAFETY: a `Cpu` of this level is only made where these instructions were found.
                #[cfg(target_arch = "x86_64")]
                $crate::cpu::Level::Avx2 => unsafe { avx2($($arg),*) },
                // SAFETY: as above.
                #[cfg(target_arch = "x86_64")]
                $crate::cpu::Level::Avx512 => unsafe { avx512($($arg),*) },
            }
        }
    };
}
pub(crate) use multiversion;

#[cfg(test)]
mod tests {
    use super::*;

    #[inline(always)]
    fn dot_body(left: &[f32], right: &[f32]) -> f32 {
        left.iter().zip(right).map(|(a, b)| a * b).sum()
    }

    multiversion! {
        fn dot(left: &[f32], right: &[f32]) -> f32 = dot_body;
    }

    #[test]
    fn all_versions_give_the_same_result() {
        let values: Vec<f32> = (0..100).map(|value| value as f32 * 0.37).collect();
        let expected = dot_body(&values, &values);
        for cpu in Cpu::all() {
            assert_eq!(dot(cpu, &values, &values), expected);
        }
    }

    #[test]
    fn the_portable_choice_comes_first() {
        assert_eq!(Cpu::all()[0], Cpu::portable());
        assert_eq!(Cpu::detect(), *Cpu::all().last().unwrap());
    }
}
