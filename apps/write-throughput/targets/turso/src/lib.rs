//! The engine Turso for write-throughput: a shared library with the C interface of
//! write_throughput_target.h, on top of the C interface that the crate turso_sdk_kit exports.
//!
//! This file: the functions of the interface. A panic would be the engine's, and ends the process.

mod interface;
mod log;
mod open;
mod options;
mod sectors;
mod session;
mod turso;
mod waiting;

use std::ffi::{c_int, c_void};
use std::mem::size_of;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock};

use interface::{Engine, Error, Options, Row};
use log::Log;
use session::{Plan, Session};
use turso::{Connection, Failure, Result};
use waiting::{next_row, run};

/// Behind the interface's pointer to a database.
pub struct Database {
    /// Keeps those of the load from being the last one, whose end makes the engine run a checkpoint.
    _first: Connection,
    turso: Arc<turso::Database>,
    plan: Plan,
    /// The log's path and the size from which a checkpoint is due, where it blocks.
    checkpoints: Option<(PathBuf, u64)>,
}

type Described = Engine<Database, Session>;

static ENGINE: LazyLock<Described> = LazyLock::new(|| Engine {
    version: interface::VERSION,
    size: size_of::<Described>() as u32,
    name: c"Turso".as_ptr(),
    engine_version: turso::version(),
    source_id: std::ptr::null(),
    durability: c"synchronous=FULL: a commit syncs the log, WAL in legacy mode".as_ptr(),
    modes: interface::LEGACY
        | interface::MVCC
        | interface::LOGICAL_LOG
        | interface::CONCURRENT
        | interface::MVCC_TRUNCATE
        | interface::MVCC_PASSIVE,
    settings: options::SETTINGS.as_ptr(),
    setting_count: options::SETTINGS.len(),
    check,
    create,
    open,
    close,
    connect,
    disconnect,
    begin,
    insert,
    commit,
    rollback,
    submit,
    await_oldest,
    scan,
});

#[no_mangle]
pub extern "C" fn write_throughput_target() -> *const Described {
    &*ENGINE
}

fn tell(result: Result, error: *mut Error) -> c_int {
    let (outcome, text) = match result {
        Ok(()) => return interface::OK,
        Err(Failure::Conflict(text)) => (interface::CONFLICT, text),
        Err(Failure::Busy(text)) => (interface::BUSY, text),
        Err(Failure::Failed(text)) => (interface::FAILED, text),
    };
    interface::write_text(unsafe { &mut *error }, &text);
    outcome
}

/// For the calls that are not tried again.
fn tell_failure(result: Result, error: *mut Error) -> c_int {
    match tell(result, error) {
        interface::OK => interface::OK,
        _ => interface::FAILED,
    }
}

unsafe extern "C" fn check(options: *const Options, error: *mut Error) -> c_int {
    let chosen = options::choose(&*options).map(drop);
    tell_failure(chosen.map_err(Failure::Failed), error)
}

fn open_database(options: &Options) -> Result<Database> {
    let chosen = options::choose(options).map_err(Failure::Failed)?;
    if chosen.io_uring {
        sectors::align_sectors();
    }
    let path = options::file(options);
    let features = options::features(options);
    let opened = turso::Database::open(&path, chosen.backend(), features, options.timeout_ms)?;
    let turso = Arc::new(opened);
    Ok(Database {
        _first: turso.connect()?,
        plan: chosen.plan(options),
        turso,
        checkpoints: None,
    })
}

/// Asked of the engine: only now does it have the store that runs them.
fn find_checkpoints(database: &mut Database, options: &Options) -> Result {
    if !options::pipelines_and_blocks(options) {
        return Ok(());
    }
    let connection = database.turso.connect()?;
    let asked = connection.prepare("PRAGMA mvcc_checkpoint_threshold")?;
    if next_row(&asked, database.plan.timeout)? {
        let threshold = u64::try_from(asked.int(0)).ok();
        database.checkpoints = threshold.map(|bytes| (options::log_file(options), bytes));
    }
    Ok(())
}

fn create_table(database: &Database, mvcc: bool) -> Result {
    let connection = database.turso.connect()?;
    let execute = |sql: &str| run(&connection.prepare(sql)?, database.plan.timeout);
    if mvcc {
        execute("PRAGMA journal_mode = 'mvcc'")?;
    }
    execute("CREATE TABLE test_table (id INTEGER PRIMARY KEY, data TEXT NOT NULL)")
}

unsafe extern "C" fn create(
    options: *const Options,
    database: *mut *mut Database,
    error: *mut Error,
) -> c_int {
    let options = &*options;
    let made = open_database(options).and_then(|mut opened| {
        create_table(&opened, options::is_mvcc(options))?;
        find_checkpoints(&mut opened, options)?;
        *database = Box::into_raw(Box::new(opened));
        Ok(())
    });
    tell_failure(made, error)
}

unsafe extern "C" fn open(
    options: *const Options,
    database: *mut *mut Database,
    error: *mut Error,
) -> c_int {
    let opened = open_database(&*options).map(|opened| *database = Box::into_raw(Box::new(opened)));
    tell_failure(opened, error)
}

unsafe extern "C" fn close(database: *mut Database, _error: *mut Error) -> c_int {
    drop(Box::from_raw(database));
    interface::OK
}

unsafe extern "C" fn connect(
    database: *mut Database,
    connection: *mut *mut Session,
    error: *mut Error,
) -> c_int {
    let database = &*database;
    let log = database.checkpoints.clone();
    let log = log.map(|(path, threshold)| Log::new(path, threshold));
    let connected = Session::new(database.turso.clone(), database.plan, log)
        .map(|session| *connection = Box::into_raw(Box::new(session)));
    tell_failure(connected, error)
}

unsafe extern "C" fn disconnect(connection: *mut Session) {
    drop(Box::from_raw(connection));
}

unsafe extern "C" fn begin(connection: *mut Session, error: *mut Error) -> c_int {
    tell((*connection).begin(), error)
}

unsafe extern "C" fn insert(
    connection: *mut Session,
    id: i64,
    data: *const u8,
    size: usize,
    error: *mut Error,
) -> c_int {
    let data = match size {
        0 => &[],
        _ => std::slice::from_raw_parts(data, size),
    };
    tell((*connection).insert(id, data), error)
}

unsafe extern "C" fn commit(connection: *mut Session, error: *mut Error) -> c_int {
    let session = &mut *connection;
    let result = session
        .submit()
        .and_then(|()| session.await_oldest().result);
    tell(result, error)
}

unsafe extern "C" fn rollback(connection: *mut Session) {
    (*connection).rollback();
}

unsafe extern "C" fn submit(connection: *mut Session, error: *mut Error) -> c_int {
    tell((*connection).submit(), error)
}

unsafe extern "C" fn await_oldest(
    connection: *mut Session,
    durable_ns: *mut i64,
    error: *mut Error,
) -> c_int {
    let answer = (*connection).await_oldest();
    *durable_ns = answer.durable_ns;
    tell(answer.result, error)
}

fn scan_rows(database: &Database, mut row: impl FnMut(i64, &[u8]) -> bool) -> Result {
    let connection = database.turso.connect()?;
    let rows = connection.prepare("SELECT id, data FROM test_table ORDER BY id")?;
    while next_row(&rows, database.plan.timeout)? {
        if !row(rows.int(0), rows.bytes(1)) {
            break;
        }
    }
    Ok(())
}

unsafe extern "C" fn scan(
    database: *mut Database,
    row: Row,
    context: *mut c_void,
    error: *mut Error,
) -> c_int {
    let each = |id: i64, data: &[u8]| row(context, id, data.as_ptr(), data.len()) != 0;
    tell_failure(scan_rows(&*database, each), error)
}
