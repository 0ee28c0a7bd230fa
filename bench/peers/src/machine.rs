//! The machine, the build and the run that results are published with. Linux has the machine's facts in /proc and /sys.
//! SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::time::SystemTime;

use anyhow::{Context as _, Result, ensure};
use core_affinity::CoreId;
use serde::Serialize;

use crate::latkem;

const UNKNOWN: &str = "not readable";

#[derive(Serialize)]
pub struct Context {
    pub date: String,
    pub cpu: String,
    /// The CPU's model: the same for all machines that may have figures in one file.
    pub machine: String,
    pub virtual_machine: String,
    pub governor: String,
    pub turbo: String,
    pub smt: String,
    pub load_average: String,
    pub pinned_core: usize,
    pub rustc: &'static str,
    pub latkem_version: &'static str,
    pub latkem_cc: &'static str,
    pub latkem_flags: &'static str,
    pub latkem_build_type: &'static str,
    pub libcrypto: String,
    pub rival_cc: &'static str,
    pub rival_flags: &'static str,
    pub block: usize,
    pub batch: usize,
}

impl Context {
    pub fn new(pinned_core: usize, block: usize, batch: usize) -> Self {
        Self {
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            cpu: cpuinfo(&["model name", "Model", "CPU part"]).unwrap_or(UNKNOWN.to_owned()),
            machine: model(&read("/proc/cpuinfo").unwrap_or_default()),
            virtual_machine: virtual_machine(),
            governor: fact("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            turbo: turbo(),
            smt: fact("/sys/devices/system/cpu/smt/control"),
            load_average: fact("/proc/loadavg"),
            pinned_core,
            rustc: env!("PEERS_RUSTC"),
            latkem_version: latkem::version(),
            latkem_cc: env!("PEERS_LATKEM_CC"),
            latkem_flags: env!("PEERS_LATKEM_FLAGS"),
            latkem_build_type: env!("PEERS_LATKEM_BUILD_TYPE"),
            libcrypto: latkem::libcrypto(),
            rival_cc: env!("PEERS_RIVAL_CC"),
            rival_flags: env!("PEERS_RIVAL_FLAGS"),
            block,
            batch,
        }
    }
}

fn read(path: &str) -> Option<String> {
    fs::read_to_string(path).ok().map(|text| text.trim().to_owned())
}

fn fact(path: &str) -> String {
    read(path).unwrap_or(UNKNOWN.to_owned())
}

/// The first value of the first of the keys that /proc/cpuinfo has.
fn cpuinfo(keys: &[&str]) -> Option<String> {
    let text = read("/proc/cpuinfo")?;
    keys.iter().find_map(|key| value(&text, key)).map(str::to_owned)
}

/// The first value of a key in a text like /proc/cpuinfo.
fn value<'a>(cpuinfo: &'a str, key: &str) -> Option<&'a str> {
    let mut pairs = cpuinfo.lines().filter_map(|line| line.split_once(':'));
    pairs.find(|(name, _)| name.trim() == key).map(|(_, value)| value.trim())
}

/// Maker, family and model, or implementer and part, in a form that may be a file's name. A hypervisor may hide the name
/// of a CPU, but its code is chosen by these.
fn model(cpuinfo: &str) -> String {
    let of = |key| value(cpuinfo, key);
    let maker = of("vendor_id").map(|id| id.trim_start_matches("Authentic").trim_start_matches("Genuine"));
    let x86 = [maker, of("cpu family"), of("model")];
    let arm = [Some("arm"), of("CPU implementer"), of("CPU part")];
    let named = |parts: [Option<&str>; 3]| Some(parts.into_iter().collect::<Option<Vec<_>>>()?.join("-"));
    named(x86).or(named(arm)).unwrap_or("unknown".to_owned()).to_lowercase()
}

/// x86 has a flag for it; elsewhere the kernel does not say.
fn virtual_machine() -> String {
    match cpuinfo(&["flags"]) {
        Some(flags) if flags.split(' ').any(|flag| flag == "hypervisor") => "yes",
        Some(_) => "no",
        None => UNKNOWN,
    }
    .to_owned()
}

fn turbo() -> String {
    let on = read("/sys/devices/system/cpu/cpufreq/boost").map(|text| text == "1");
    let off = read("/sys/devices/system/cpu/intel_pstate/no_turbo").map(|text| text == "0");
    on.or(off).map_or(UNKNOWN, |on| if on { "on" } else { "off" }).to_owned()
}

/// Clears the upper halves of the vector registers. AVX code that returns with them in use slows the SSE code of
/// whoever runs next, which would charge one library for another.
pub fn clear_upper_halves() {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx") {
        // SAFETY: the CPU has AVX. Nothing is live in the upper halves, which no calling convention preserves.
        unsafe { std::arch::x86_64::_mm256_zeroupper() };
    }
}

/// Keeps this thread on one core: the wanted one, or the last that the process may use.
pub fn pin(wanted: Option<usize>) -> Result<usize> {
    let cores = core_affinity::get_core_ids().context("the cores that this process may use are not known")?;
    let last = cores.iter().map(|core| core.id).max().context("no core to run on")?;
    let id = wanted.unwrap_or(last);
    ensure!(core_affinity::set_for_current(CoreId { id }), "cannot pin to core {id}");
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::model;

    #[test]
    fn a_model_is_named_by_its_numbers() {
        let amd = "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 26\nmodel\t\t: 2\nmodel name\t: AMD EPYC\n";
        assert_eq!(model(amd), "amd-26-2");
        assert_eq!(model(&amd.replace("AuthenticAMD", "GenuineIntel").replace("26", "6")), "intel-6-2");
        assert_eq!(model("CPU implementer\t: 0x41\nCPU part\t: 0xd4f\n"), "arm-0x41-0xd4f");
        assert_eq!(model(""), "unknown");
    }
}
