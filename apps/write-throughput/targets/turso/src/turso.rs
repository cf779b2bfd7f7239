//! The engine's C interface (turso.h of turso_sdk_kit) with owners for what it hands out: databases,
//! connections and statements end with their values here, statements before their connection.
//!
//! I/O is driven by the caller: a statement that waits says so, and `Statement::poll` answers at
//! once. Thread rule: a database may be used by several threads, a connection with its statements by
//! one at a time.

use std::ffi::{c_char, CStr, CString};
use std::ptr;
use std::sync::Arc;

use turso_sdk_kit::capi::c::turso_status_code_t as Status;
use turso_sdk_kit::capi::{self, c};

/// Why a call has no result; the text is the engine's own.
#[derive(Debug, Clone, PartialEq)]
pub enum Failure {
    /// Another transaction was first.
    Conflict(String),
    /// A lock was not to be had.
    Busy(String),
    Failed(String),
}

pub type Result<T = ()> = std::result::Result<T, Failure>;

#[derive(Debug, PartialEq)]
pub enum Progress {
    Waiting,
    Row,
    Done,
}

pub fn version() -> *const c_char {
    capi::turso_version()
}

/// What the engine tells by its texts alone: the status of all of them is TURSO_ERROR.
const CONFLICTS: [&str; 6] = [
    "Write-write conflict",
    "Commit dependency aborted",
    "Transaction terminated",
    "Conflict: ",
    "Database schema changed",
    "Database schema conflict",
];

fn judge(status: Status, text: String) -> Failure {
    match status {
        Status::TURSO_BUSY => Failure::Busy(text),
        Status::TURSO_BUSY_SNAPSHOT => Failure::Conflict(text),
        Status::TURSO_ERROR if CONFLICTS.iter().any(|known| text.starts_with(known)) => {
            Failure::Conflict(text)
        }
        _ => Failure::Failed(text),
    }
}

/// Runs `call` with a place for the text of an error.
fn ask(call: impl FnOnce(*mut *const c_char) -> Status) -> Result<Status> {
    let mut text: *const c_char = ptr::null();
    let status = call(&mut text);
    match status {
        Status::TURSO_OK | Status::TURSO_DONE | Status::TURSO_ROW | Status::TURSO_IO => Ok(status),
        _ => Err(judge(status, take_text(text, status))),
    }
}

fn take_text(text: *const c_char, status: Status) -> String {
    if text.is_null() {
        return format!("{status:?}");
    }
    // The engine's own, ended by a 0, and ours to give back.
    let copy = unsafe { CStr::from_ptr(text) }
        .to_string_lossy()
        .into_owned();
    capi::turso_str_deinit(text);
    copy
}

/// A database as turso.h has it; ends with its value.
struct Handle(*const c::turso_database_t);

impl Handle {
    fn open(config: &c::turso_database_config_t) -> Result<Self> {
        let mut handle = ptr::null();
        ask(|text| capi::turso_database_new(config, &mut handle, text))?;
        let opened = Handle(handle);
        match ask(|text| capi::turso_database_open(handle, text))? {
            Status::TURSO_OK => Ok(opened),
            other => Err(Failure::Failed(format!("open: {other:?}"))),
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        capi::turso_database_deinit(self.0);
    }
}

/// Two handles for one database: I/O that the caller drives needs a statement, and there is none
/// before the database is open. So the first handle opens it with I/O of the engine's own, and the
/// second finds it open: within a process a file has one database.
pub struct Database {
    driven: Handle,
    _opener: Handle,
    timeout_ms: i64,
}

// turso.h: a database can be used concurrently.
unsafe impl Send for Database {}
unsafe impl Sync for Database {}

impl Database {
    /// `backend`: "syscall" or "io_uring"; `features`: names of experimental ones, by commas.
    pub fn open(path: &CStr, backend: &CStr, features: &CStr, timeout_ms: i64) -> Result<Self> {
        let mut config = c::turso_database_config_t {
            async_io: 0,
            path: path.as_ptr(),
            experimental_features: features.as_ptr(),
            vfs: backend.as_ptr(),
            encryption_cipher: ptr::null(),
            encryption_hexkey: ptr::null(),
        };
        let opener = Handle::open(&config)?;
        config.async_io = 1;
        Ok(Database {
            driven: Handle::open(&config)?,
            _opener: opener,
            timeout_ms,
        })
    }

    pub fn connect(self: &Arc<Self>) -> Result<Connection> {
        let mut handle = ptr::null_mut();
        ask(|text| capi::turso_database_connect(self.driven.0, &mut handle, text))?;
        capi::turso_connection_set_busy_timeout_ms(handle, self.timeout_ms);
        Ok(Connection {
            handle,
            _database: self.clone(),
        })
    }
}

pub struct Connection {
    handle: *mut c::turso_connection_t,
    _database: Arc<Database>,
}

impl Connection {
    /// The statement has to end before the connection: structures hold it in front.
    pub fn prepare(&self, sql: &str) -> Result<Statement> {
        let sql = CString::new(sql).expect("a constant of this library");
        let mut handle = ptr::null_mut();
        ask(|text| {
            capi::turso_connection_prepare_single(self.handle, sql.as_ptr(), &mut handle, text)
        })?;
        Ok(Statement { handle })
    }

    pub fn in_transaction(&self) -> bool {
        !capi::turso_connection_get_autocommit(self.handle)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // What it says at its end changes nothing that was acknowledged.
        let _ = ask(|text| capi::turso_connection_close(self.handle, text));
        capi::turso_connection_deinit(self.handle);
    }
}

pub struct Statement {
    handle: *mut c::turso_statement_t,
}

impl Statement {
    /// One step ahead, and I/O that it waits for.
    pub fn poll(&self) -> Result<Progress> {
        match ask(|text| capi::turso_statement_step(self.handle, text))? {
            Status::TURSO_ROW => Ok(Progress::Row),
            Status::TURSO_IO => {
                ask(|text| capi::turso_statement_run_io(self.handle, text))?;
                Ok(Progress::Waiting)
            }
            _ => Ok(Progress::Done),
        }
    }

    /// For another run; one that is under way is given up.
    pub fn reset(&self) -> Result {
        ask(|text| capi::turso_statement_reset(self.handle, text)).map(drop)
    }

    /// Positions count from 1.
    pub fn bind_int(&self, position: usize, value: i64) -> Result {
        let status = capi::turso_statement_bind_positional_int(self.handle, position, value);
        bound(status)
    }

    pub fn bind_text(&self, position: usize, text: &[u8]) -> Result {
        let start = text.as_ptr().cast();
        let (statement, size) = (self.handle, text.len());
        bound(capi::turso_statement_bind_positional_text(
            statement, position, start, size,
        ))
    }

    /// Of the row at hand; columns count from 0.
    pub fn int(&self, column: usize) -> i64 {
        capi::turso_statement_row_value_int(self.handle, column)
    }

    /// Valid until the next call.
    pub fn bytes(&self, column: usize) -> &[u8] {
        let size = capi::turso_statement_row_value_bytes_count(self.handle, column);
        let start = capi::turso_statement_row_value_bytes_ptr(self.handle, column);
        if start.is_null() || size <= 0 {
            return &[];
        }
        unsafe { std::slice::from_raw_parts(start.cast(), size as usize) }
    }
}

impl Drop for Statement {
    fn drop(&mut self) {
        capi::turso_statement_deinit(self.handle);
    }
}

fn bound(status: Status) -> Result {
    match status {
        Status::TURSO_OK => Ok(()),
        _ => Err(judge(status, format!("a value was not taken: {status:?}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stale_snapshots_and_lost_races_are_conflicts() {
        let text = || "any".to_string();
        let conflict = judge(Status::TURSO_BUSY_SNAPSHOT, text());
        assert_eq!(conflict, Failure::Conflict(text()));
        for known in CONFLICTS {
            let lost = judge(Status::TURSO_ERROR, known.to_string());
            assert_eq!(lost, Failure::Conflict(known.to_string()));
        }
    }

    #[test]
    fn a_lock_is_busy_and_all_else_has_failed() {
        let text = || "any".to_string();
        assert_eq!(judge(Status::TURSO_BUSY, text()), Failure::Busy(text()));
        for status in [
            Status::TURSO_ERROR,
            Status::TURSO_IOERR,
            Status::TURSO_CORRUPT,
        ] {
            assert_eq!(judge(status, text()), Failure::Failed(text()));
        }
    }
}
