//! write_throughput_target.h in Rust: what stands there of every call, its threads and its errors
//! holds here. Structures are laid out as C does it; the program refuses a library whose version or
//! size of the description does not fit its own.

use std::ffi::{c_char, c_int, c_void};

pub const VERSION: u32 = 1;

pub const OK: c_int = 0;
pub const CONFLICT: c_int = 1;
pub const BUSY: c_int = 2;
pub const FAILED: c_int = 3;

pub const LEGACY: u32 = 1;
pub const MVCC: u32 = 2;
pub const LOGICAL_LOG: u32 = 4;
pub const CONCURRENT: u32 = 8;
pub const MVCC_TRUNCATE: u32 = 16;
pub const MVCC_PASSIVE: u32 = 32;
pub const PIPELINED: u32 = CONCURRENT | MVCC_TRUNCATE | MVCC_PASSIVE;

#[repr(C)]
pub struct Error {
    pub text: [u8; 512],
}

#[repr(C)]
pub struct Setting {
    pub key: *const c_char,
    pub value: *const c_char,
}

#[repr(C)]
pub struct Options {
    pub size: u32,
    pub path: *const c_char,
    pub mode: u32,
    pub threads: i32,
    pub in_flight: i32,
    pub timeout_ms: i64,
    pub settings: *const Setting,
    pub setting_count: usize,
}

/// Gets one row; 0: the scan is to end early.
pub type Row = unsafe extern "C" fn(*mut c_void, i64, *const u8, usize) -> c_int;

/// `D` and `C`: what stands behind the pointers of the database and of a connection.
#[repr(C)]
pub struct Engine<D, C> {
    pub version: u32,
    pub size: u32,
    pub name: *const c_char,
    pub engine_version: *const c_char,
    pub source_id: *const c_char,
    pub durability: *const c_char,
    pub modes: u32,
    pub settings: *const Setting,
    pub setting_count: usize,
    pub check: unsafe extern "C" fn(*const Options, *mut Error) -> c_int,
    pub create: unsafe extern "C" fn(*const Options, *mut *mut D, *mut Error) -> c_int,
    pub open: unsafe extern "C" fn(*const Options, *mut *mut D, *mut Error) -> c_int,
    pub close: unsafe extern "C" fn(*mut D, *mut Error) -> c_int,
    pub connect: unsafe extern "C" fn(*mut D, *mut *mut C, *mut Error) -> c_int,
    pub disconnect: unsafe extern "C" fn(*mut C),
    pub begin: unsafe extern "C" fn(*mut C, *mut Error) -> c_int,
    pub insert: unsafe extern "C" fn(*mut C, i64, *const u8, usize, *mut Error) -> c_int,
    pub commit: unsafe extern "C" fn(*mut C, *mut Error) -> c_int,
    pub rollback: unsafe extern "C" fn(*mut C),
    pub submit: unsafe extern "C" fn(*mut C, *mut Error) -> c_int,
    pub await_oldest: unsafe extern "C" fn(*mut C, *mut i64, *mut Error) -> c_int,
    pub scan: unsafe extern "C" fn(*mut D, Row, *mut c_void, *mut Error) -> c_int,
}

// Pointers to constants of the library.
unsafe impl<D, C> Sync for Engine<D, C> {}
unsafe impl<D, C> Send for Engine<D, C> {}
unsafe impl Sync for Setting {}

/// One line, cut between two characters where it is too long.
pub fn write_text(error: &mut Error, text: &str) {
    let mut end = text.len().min(error.text.len() - 1);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    for (to, from) in error.text.iter_mut().zip(text[..end].bytes()) {
        *to = if from < b' ' { b' ' } else { from };
    }
    error.text[end] = 0;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(text: &str) -> String {
        let mut error = Error { text: [b'x'; 512] };
        write_text(&mut error, text);
        let end = error.text.iter().position(|&byte| byte == 0).unwrap();
        String::from_utf8(error.text[..end].to_vec()).unwrap()
    }

    #[test]
    fn a_text_of_several_lines_becomes_one() {
        assert_eq!(text_of("no\nluck\u{0}here"), "no luck here");
    }

    #[test]
    fn a_long_text_is_cut_between_two_characters() {
        let cut = text_of(&"ä".repeat(300));
        assert_eq!(cut, "ä".repeat(255));
    }
}
