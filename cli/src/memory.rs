//! Parses memory limits and measures free memory.

use std::fs;
use std::path::{Path, PathBuf};

use bytesize::ByteSize;

/// Parses a number of bytes such as `12GiB`, `512 MiB`, `8GB` or `1000000`.
pub fn parse_size(text: &str) -> Result<u64, String> {
    match text.parse::<ByteSize>() {
        Ok(size) => Ok(size.as_u64()),
        Err(_) => Err(format!(
            "{text:?} is not a size: write a number and a unit, for instance 12GiB"
        )),
    }
}

/// A limit on memory use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryLimit {
    /// At most this many bytes.
    Bytes(u64),
    /// No limit.
    Unlimited,
}

/// Parses a limit: a size or the word `none`.
pub fn parse_limit(text: &str) -> Result<MemoryLimit, String> {
    match text {
        "none" => Ok(MemoryLimit::Unlimited),
        _ => parse_size(text)
            .map(MemoryLimit::Bytes)
            .map_err(|error| format!("{error}, or none for no limit")),
    }
}

/// The default memory limit in bytes: three quarters of the machine's free memory, but at most nine
/// tenths of the memory that the process's control groups or its Slurm job allow. `None` if
/// unknown.
pub fn default_limit() -> Option<u64> {
    let free = free_of_machine().map(|free| free / 4 * 3);
    let given = [free_of_groups(), allocated_by_slurm()];
    let given = given.into_iter().flatten().map(|given| given / 10 * 9);
    given.chain(free).min()
}

/// The free memory of the machine: the bytes that it can provide without swapping.
fn free_of_machine() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    available(&text)
}

/// The free memory, in bytes, within the limits of this process's control groups, which a container
/// or a job may set. `None` if no group has a limit.
fn free_of_groups() -> Option<u64> {
    let group_list = fs::read_to_string("/proc/self/cgroup").ok()?;
    free_of_groups_below(Path::new("/sys/fs/cgroup"), &group_list)
}

/// Computes [`free_of_groups`]. `group_list` is the text of `/proc/self/cgroup`, and `mount` is the
/// directory where the groups are mounted.
fn free_of_groups_below(mount: &Path, group_list: &str) -> Option<u64> {
    let group = |line: &str| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        let path = path.trim_start_matches('/');
        match controllers {
            "" => Some((mount.to_path_buf(), path.to_string(), VERSION_2)),
            _ if controllers.split(',').any(|name| name == "memory") => {
                Some((mount.join("memory"), path.to_string(), VERSION_1))
            }
            _ => None,
        }
    };
    let groups = group_list.lines().filter_map(group);
    // A group cannot exceed the limits of its parents. Inside a container the path may not exist;
    // then the container's own group is the root.
    let free = groups.flat_map(|(top, path, files)| {
        let path = PathBuf::from(path);
        let directories: Vec<PathBuf> = path.ancestors().map(|part| top.join(part)).collect();
        directories
            .into_iter()
            .filter_map(move |directory| free_of_group(&directory, files))
    });
    free.min()
}

/// Names in a control group: the file with its limit, the file with its usage, and the line of
/// `memory.stat` with the file cache, which the system can reclaim.
type GroupFiles = [&'static str; 3];

const VERSION_1: GroupFiles = [
    "memory.limit_in_bytes",
    "memory.usage_in_bytes",
    "total_inactive_file",
];
const VERSION_2: GroupFiles = ["memory.max", "memory.current", "inactive_file"];

/// The free memory of one control group, in bytes. `None` if the group has no limit.
fn free_of_group(directory: &Path, [limit, used, reclaimable]: GroupFiles) -> Option<u64> {
    let text = |name: &str| fs::read_to_string(directory.join(name)).ok();
    let number = |name: &str| text(name)?.trim().parse::<u64>().ok();
    let limit = number(limit)?;
    let stat = text("memory.stat").unwrap_or_default();
    let reclaimable = stat
        .lines()
        .find_map(|line| line.strip_prefix(reclaimable)?.trim().parse::<u64>().ok())
        .unwrap_or(0);
    let used = number(used)?.saturating_sub(reclaimable);
    Some(limit.saturating_sub(used))
}

/// The memory, in bytes, that Slurm allocated to this job on this machine.
fn allocated_by_slurm() -> Option<u64> {
    allocated(&|name| std::env::var(name).ok()?.parse().ok())
}

/// Computes [`allocated_by_slurm`] from Slurm's variables, which `variable` reads. They state MiB
/// per machine or MiB per processor of the job. 0 MiB means all of the machine's memory.
fn allocated(variable: &dyn Fn(&str) -> Option<u64>) -> Option<u64> {
    let mib = variable("SLURM_MEM_PER_NODE").or_else(|| {
        let processors = variable("SLURM_CPUS_ON_NODE").unwrap_or(1);
        Some(variable("SLURM_MEM_PER_CPU")?.saturating_mul(processors))
    })?;
    (mib > 0).then(|| mib.saturating_mul(1 << 20))
}

/// Parses the available memory in bytes from the text of `/proc/meminfo`.
fn available(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib.saturating_mul(1024))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_a_number_with_or_without_a_unit() {
        assert_eq!(parse_size("12GiB"), Ok(12 << 30));
        assert_eq!(parse_size("1.5 MiB"), Ok(3 << 19));
        assert_eq!(parse_size("8GB"), Ok(8_000_000_000));
        assert_eq!(parse_size("1000"), Ok(1000));
        for wrong in ["", "GiB", "12 apples", "-1GiB", "1.2.3", "é"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn available_memory_is_read_from_meminfo() {
        let text = "MemTotal:       24000000 kB\nMemAvailable:   1000 kB\n";
        assert_eq!(available(text), Some(1_024_000));
        assert_eq!(available("MemTotal: 1 kB\n"), None);
    }

    #[test]
    fn a_limit_may_be_none() {
        assert_eq!(parse_limit("none"), Ok(MemoryLimit::Unlimited));
        assert_eq!(parse_limit("1MiB"), Ok(MemoryLimit::Bytes(1 << 20)));
        assert!(
            parse_limit("much")
                .unwrap_err()
                .ends_with("or none for no limit")
        );
    }

    #[test]
    fn free_memory_is_that_of_the_control_groups() {
        let top = tempfile::tempdir().unwrap();
        let write = |group: &str, files: &[(&str, &str)]| {
            let directory = top.path().join(group);
            fs::create_dir_all(&directory).unwrap();
            for (name, text) in files {
                fs::write(directory.join(name), text).unwrap();
            }
        };
        let free = |named: &str| free_of_groups_below(top.path(), named);
        let named = "0::/slurm/job_7\n";
        assert_eq!(free(named), None, "no group has a limit");
        let stat = "anon 100\ninactive_file 300\nactive_file 5\n";
        let files = [
            ("memory.max", "1000\n"),
            ("memory.current", "500\n"),
            ("memory.stat", stat),
        ];
        write("slurm", &files);
        write(
            "slurm/job_7",
            &[("memory.max", "max\n"), ("memory.current", "1\n")],
        );
        assert_eq!(free(named), Some(800), "the one above has");
        write(
            "slurm/job_7",
            &[("memory.max", "600\n"), ("memory.current", "200\n")],
        );
        assert_eq!(free(named), Some(400), "its own is less");
        assert_eq!(free("0::/\n"), None);
        // Files of control groups, version 1.
        let files = [
            ("memory.limit_in_bytes", "900\n"),
            ("memory.usage_in_bytes", "200\n"),
        ];
        write("memory/slurm/job_8", &files);
        let named = "5:cpu,cpuacct:/slurm/job_8\n4:memory:/slurm/job_8\n";
        assert_eq!(free(named), Some(700));
    }

    #[test]
    fn slurm_gives_memory_by_machine_or_processor() {
        let given = |variables: &[(&str, u64)]| {
            let find = |name: &str| {
                let found = variables.iter().find(|(other, _)| *other == name);
                found.map(|&(_, value)| value)
            };
            allocated(&find)
        };
        assert_eq!(given(&[("SLURM_MEM_PER_NODE", 3000)]), Some(3000 << 20));
        let by_processor = [("SLURM_MEM_PER_CPU", 100), ("SLURM_CPUS_ON_NODE", 4)];
        assert_eq!(given(&by_processor), Some(400 << 20));
        assert_eq!(given(&[("SLURM_MEM_PER_NODE", 0)]), None);
        assert_eq!(given(&[]), None);
    }
}
