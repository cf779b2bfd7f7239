//! What the caller's options mean to the engine: its mode, its settings, its path.

use std::ffi::{c_char, CStr, CString, OsString};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::time::Duration;

use crate::interface::{self, Options, Setting};
use crate::session::Plan;

pub static SETTINGS: [Setting; 2] = [
    Setting {
        key: c"connection".as_ptr(),
        value: c"reuse (default) or per-transaction: each transaction by a new connection".as_ptr(),
    },
    Setting {
        key: c"io".as_ptr(),
        value: c"how the engine writes: what --io says".as_ptr(),
    },
];

pub struct Chosen {
    pub reuse: bool,
    pub io_uring: bool,
}

/// The error is what is not allowed, and what is.
pub fn choose(options: &Options) -> Result<Chosen, String> {
    let mut chosen = Chosen {
        reuse: true,
        io_uring: false,
    };
    for setting in given(options) {
        match (text(setting.key), text(setting.value)) {
            ("connection", "reuse") => chosen.reuse = true,
            ("connection", "per-transaction") => chosen.reuse = false,
            ("connection", other) => {
                return Err(refusal("connection", other, "reuse or per-transaction"))
            }
            ("io", "pwrite") => chosen.io_uring = false,
            ("io", "io-uring") => chosen.io_uring = true,
            ("io", other) => return Err(refusal("io", other, "pwrite or io-uring")),
            (other, _) => return Err(format!("{other}: no such setting")),
        }
    }
    if chosen.io_uring {
        probe_io_uring()?;
    }
    Ok(chosen)
}

fn refusal(key: &str, value: &str, allowed: &str) -> String {
    format!("{key}={value} is not allowed: {allowed}")
}

/// Whether the kernel gives us a ring: containers often forbid it.
fn probe_io_uring() -> Result<(), String> {
    let mut parameters = [0u64; 15]; // struct io_uring_params has 120 bytes
    let ring = unsafe { libc::syscall(libc::SYS_io_uring_setup, 1, parameters.as_mut_ptr()) };
    if ring < 0 {
        let error = std::io::Error::last_os_error();
        return Err(format!(
            "--io io-uring: io_uring_setup: {error}; pwrite is allowed"
        ));
    }
    unsafe { libc::close(ring as i32) };
    Ok(())
}

fn given(options: &Options) -> &[Setting] {
    match options.setting_count {
        0 => &[],
        count => unsafe { std::slice::from_raw_parts(options.settings, count) },
    }
}

fn text<'a>(text: *const c_char) -> &'a str {
    unsafe { CStr::from_ptr(text) }
        .to_str()
        .unwrap_or("(no UTF-8)")
}

impl Chosen {
    pub fn backend(&self) -> &'static CStr {
        match self.io_uring {
            true => c"io_uring",
            false => c"syscall",
        }
    }

    pub fn plan(&self, options: &Options) -> Plan {
        let pipelined = options.mode & interface::PIPELINED != 0;
        let concurrent = pipelined || options.mode == interface::LOGICAL_LOG;
        Plan {
            begin: if concurrent {
                "BEGIN CONCURRENT"
            } else {
                "BEGIN"
            },
            slots: if pipelined {
                options.in_flight.max(1) as usize
            } else {
                1
            },
            timeout: Duration::from_millis(options.timeout_ms.max(0) as u64),
            reuse: self.reuse,
            warm_up: !is_mvcc(options),
        }
    }
}

/// All but legacy work on the engine's multi-version store.
pub fn is_mvcc(options: &Options) -> bool {
    options.mode != interface::LEGACY
}

/// Passive checkpoints block nobody; without pipelining each commit has its answer before the next
/// transaction begins.
pub fn pipelines_and_blocks(options: &Options) -> bool {
    options.mode & (interface::CONCURRENT | interface::MVCC_TRUNCATE) != 0
}

pub fn features(options: &Options) -> &'static CStr {
    match options.mode {
        interface::MVCC_PASSIVE => c"mvcc_passive_checkpoint",
        _ => c"",
    }
}

pub fn log_file(options: &Options) -> PathBuf {
    let name = [file(options).to_bytes(), b"-log"].concat();
    PathBuf::from(OsString::from_vec(name))
}

/// Of the database's file in the folder that the caller made.
pub fn file(options: &Options) -> CString {
    let folder = unsafe { CStr::from_ptr(options.path) };
    let path = [folder.to_bytes(), b"/turso.db"].concat();
    CString::new(path).expect("made of text that ends with its first 0")
}
