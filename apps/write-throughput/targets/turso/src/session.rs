//! What stands behind one connection of the interface: as many of the engine's connections as
//! transactions may be open at a time, each with its statements.
//!
//! Commits are answered in the order of their submission, but all are stepped by each call that begins,
//! submits or waits: any of them may hold the lock that others wait for, and one that runs a checkpoint
//! waits for all that are under way.
//!
//! Invariant: each slot is in exactly one of `free`, `current` and `submitted` without an answer.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::turso::{Connection, Database, Failure, Progress, Result, Statement};

/// Waits for another thread: by turns that cost little latency, then by sleeping. Ends in time.
struct Wait {
    turns: u32,
    end: Instant,
}

impl Wait {
    fn new(timeout: Duration) -> Self {
        Wait {
            turns: 0,
            end: Instant::now() + timeout,
        }
    }

    /// False: time is up.
    fn pause(&mut self) -> bool {
        const YIELDS: u32 = 1000;
        const SLEEP: Duration = Duration::from_micros(50);
        self.turns += 1;
        if self.turns <= YIELDS {
            std::thread::yield_now();
        } else {
            std::thread::sleep(SLEEP);
        }
        Instant::now() < self.end
    }
}

/// Of `statement`, which may give rows that nobody asks for.
pub fn run(statement: &Statement, timeout: Duration) -> Result {
    let mut wait = Wait::new(timeout);
    while !poll_done(statement)? {
        if !wait.pause() {
            return Err(out_of_time(timeout));
        }
    }
    statement.reset()
}

/// The next row is at hand; false: there is none.
pub fn next_row(statement: &Statement, timeout: Duration) -> Result<bool> {
    let mut wait = Wait::new(timeout);
    loop {
        match statement.poll()? {
            Progress::Row => return Ok(true),
            Progress::Done => return Ok(false),
            Progress::Waiting if wait.pause() => {}
            Progress::Waiting => return Err(out_of_time(timeout)),
        }
    }
}

fn poll_done(statement: &Statement) -> Result<bool> {
    Ok(statement.poll()? == Progress::Done)
}

fn out_of_time(timeout: Duration) -> Failure {
    Failure::Busy(format!("no answer for {} ms", timeout.as_millis()))
}

/// CLOCK_MONOTONIC, as the interface has it.
fn now_ns() -> i64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Statements in front: they end before their connection.
struct Open {
    begin: Statement,
    insert: Statement,
    commit: Statement,
    rollback: Statement,
    connection: Connection,
}

impl Open {
    fn new(database: &Arc<Database>, begin: &str) -> Result<Self> {
        let connection = database.connect()?;
        Ok(Open {
            begin: connection.prepare(begin)?,
            insert: connection.prepare("INSERT INTO test_table (id, data) VALUES (?1, ?2)")?,
            commit: connection.prepare("COMMIT")?,
            rollback: connection.prepare("ROLLBACK")?,
            connection,
        })
    }

    /// One commit. In WAL mode the engine syncs what earlier commits of the same connection have left,
    /// and so not its first one.
    fn warm_up(&self, timeout: Duration) -> Result {
        let any = self.connection.prepare("PRAGMA user_version = 1")?;
        run(&any, timeout)
    }

    fn roll_back(&self, timeout: Duration) -> Result {
        for statement in [&self.begin, &self.insert, &self.commit] {
            // Its failure was answered already.
            let _ = statement.reset();
        }
        if !self.connection.in_transaction() {
            return Ok(());
        }
        run(&self.rollback, timeout)
    }
}

#[derive(Clone, Copy)]
pub struct Plan {
    pub begin: &'static str,
    pub slots: usize,
    pub timeout: Duration,
    pub reuse: bool,
    pub warm_up: bool,
}

/// `durable_ns`: when the engine answered, by CLOCK_MONOTONIC.
pub struct Answer {
    pub result: Result,
    pub durable_ns: i64,
}

struct Submitted {
    slot: usize,
    answer: Option<Answer>,
}

pub struct Session {
    database: Arc<Database>,
    plan: Plan,
    slots: Vec<Option<Open>>,
    free: Vec<usize>,
    current: Option<usize>,
    submitted: VecDeque<Submitted>,
}

fn told(result: Result) -> Answer {
    Answer {
        result,
        durable_ns: now_ns(),
    }
}

impl Session {
    pub fn new(database: Arc<Database>, plan: Plan) -> Result<Self> {
        let mut slots = Vec::with_capacity(plan.slots);
        for _ in 0..plan.slots {
            if !plan.reuse {
                slots.push(None);
                continue;
            }
            let open = Open::new(&database, plan.begin)?;
            if plan.warm_up {
                open.warm_up(plan.timeout)?;
            }
            slots.push(Some(open));
        }
        Ok(Session {
            database,
            free: (0..slots.len()).rev().collect(),
            slots,
            plan,
            current: None,
            submitted: VecDeque::new(),
        })
    }

    pub fn begin(&mut self) -> Result {
        self.advance();
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => return Err(Failure::Failed("more are open than --in-flight".into())),
        };
        self.current = Some(slot);
        if self.slots[slot].is_none() {
            self.slots[slot] = Some(Open::new(&self.database, self.plan.begin)?);
        }
        self.finish(|open| &open.begin)
    }

    pub fn insert(&mut self, id: i64, data: &[u8]) -> Result {
        let insert = &self.open()?.insert;
        insert.bind_int(1, id)?;
        insert.bind_text(2, data)?;
        self.finish(|open| &open.insert)
    }

    pub fn submit(&mut self) -> Result {
        // Behind a conflict that ended the transaction, COMMIT would have nothing to answer for.
        if !self.open()?.connection.in_transaction() {
            let text = "the engine has ended the transaction";
            return Err(Failure::Conflict(text.into()));
        }
        let slots = self.current.take().into_iter();
        self.submitted
            .extend(slots.map(|slot| Submitted { slot, answer: None }));
        self.advance();
        Ok(())
    }

    /// For the oldest one submitted.
    pub fn await_oldest(&mut self) -> Answer {
        let mut wait = Wait::new(self.plan.timeout);
        loop {
            self.advance();
            let Some(oldest) = self.submitted.front_mut() else {
                return told(Err(Failure::Failed("nothing was submitted".into())));
            };
            if let Some(answer) = oldest.answer.take() {
                self.submitted.pop_front();
                return answer;
            }
            if !wait.pause() {
                let text = format!("COMMIT: no answer for {:?}", self.plan.timeout);
                self.abandon(self.submitted[0].slot);
                self.settle(0, Err(Failure::Failed(text)));
            }
        }
    }

    pub fn rollback(&mut self) {
        if let Some(slot) = self.current.take() {
            self.roll_back(slot);
        }
    }

    fn open(&self) -> Result<&Open> {
        let slot = self.current.and_then(|slot| self.slots[slot].as_ref());
        slot.ok_or_else(|| Failure::Failed("no transaction was begun".into()))
    }

    /// The statement of the current transaction, stepped until it is done.
    fn finish(&mut self, which: impl Fn(&Open) -> &Statement) -> Result {
        let statement = which(self.open()?);
        if poll_done(statement)? {
            return statement.reset();
        }
        let mut wait = Wait::new(self.plan.timeout);
        while wait.pause() {
            self.advance();
            let statement = which(self.open()?);
            if poll_done(statement)? {
                return statement.reset();
            }
        }
        if let Some(slot) = self.current {
            self.abandon(slot);
        }
        Err(out_of_time(self.plan.timeout))
    }

    /// With a statement that does not come to an end, which the engine would wait for without one.
    fn abandon(&mut self, slot: usize) {
        std::mem::forget(self.slots[slot].take());
    }

    /// Steps every commit that has no answer yet.
    fn advance(&mut self) {
        for at in 0..self.submitted.len() {
            if self.submitted[at].answer.is_some() {
                continue;
            }
            let Some(open) = &self.slots[self.submitted[at].slot] else {
                continue;
            };
            let result = match poll_done(&open.commit) {
                Ok(false) => continue,
                Ok(true) => open.commit.reset(),
                Err(failure) => Err(failure),
            };
            self.settle(at, result);
        }
    }

    fn settle(&mut self, at: usize, result: Result) {
        let failed = result.is_err();
        let slot = self.submitted[at].slot;
        self.submitted[at].answer = Some(told(result));
        if failed {
            return self.roll_back(slot);
        }
        if !self.plan.reuse {
            self.slots[slot] = None;
        }
        self.free.push(slot);
    }

    fn roll_back(&mut self, slot: usize) {
        let done = match &self.slots[slot] {
            Some(open) => open.roll_back(self.plan.timeout),
            None => Ok(()),
        };
        if done.is_err() || !self.plan.reuse {
            self.slots[slot] = None; // closing it ends what is left of its transaction
        }
        self.free.push(slot);
    }
}
