//! What stands behind one connection of the interface: as many of the engine's connections as
//! transactions may be open at a time, each with its statements.
//!
//! Commits are answered in the order of their submission, but all are stepped by each call that
//! begins, submits or waits: any of them may hold the lock that others wait for.
//!
//! With checkpoints that block, one is left out. A commit that meets no other open transaction may
//! run a checkpoint within its steps, and BEGIN then sleeps within the engine, up to ten seconds,
//! for locks that only further steps of that commit give back (begin_read_tx in the engine's
//! storage/wal.rs). So the newest commit is stepped only while a later transaction is open, which
//! keeps a checkpoint away, or until it has its answer. From time to time all are, so that
//! checkpoints do run (log.rs).
//!
//! Invariants: each slot is in exactly one of `free`, `current` and `submitted` without an answer.
//! No transaction is begun while a commit of the session may be within a checkpoint that blocks.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crate::log::Log;
use crate::open::Open;
use crate::turso::{Database, Failure, Result, Statement};
use crate::waiting::{out_of_time, poll_done, Wait};

/// CLOCK_MONOTONIC, as the interface has it.
fn now_ns() -> i64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec * 1_000_000_000 + time.tv_nsec
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
    begun: bool,
    submitted: VecDeque<Submitted>,
    log: Option<Log>,
    making_way: bool,
}

fn told(result: Result) -> Answer {
    Answer {
        result,
        durable_ns: now_ns(),
    }
}

impl Session {
    /// `log`: where checkpoints block.
    pub fn new(database: Arc<Database>, plan: Plan, log: Option<Log>) -> Result<Self> {
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
            begun: false,
            submitted: VecDeque::new(),
            log,
            making_way: false,
        })
    }

    pub fn begin(&mut self) -> Result {
        self.advance();
        self.make_way_for_a_checkpoint()?;
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => return Err(Failure::Failed("more are open than --in-flight".into())),
        };
        self.current = Some(slot);
        if self.slots[slot].is_none() {
            self.slots[slot] = Some(Open::new(&self.database, self.plan.begin)?);
        }
        self.finish(|open| &open.begin)?;
        self.begun = true;
        self.advance();
        Ok(())
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
        self.begun = false;
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
            if self.open_commits().count() == 1 {
                self.step(0);
            }
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
        self.begun = false;
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

    /// Places in `submitted` of those without an answer.
    fn open_commits(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        (0..self.submitted.len()).filter(|&at| self.submitted[at].answer.is_none())
    }

    /// Steps the commits that have no answer yet, and that may be stepped now.
    fn advance(&mut self) {
        let newest = match self.log.is_some() && !self.begun {
            true => self.open_commits().next_back(),
            false => None,
        };
        for at in 0..newest.unwrap_or(self.submitted.len()) {
            self.step(at);
        }
    }

    fn step(&mut self, at: usize) {
        if self.submitted[at].answer.is_some() {
            return;
        }
        let Some(open) = &self.slots[self.submitted[at].slot] else {
            return;
        };
        let result = match poll_done(&open.commit) {
            Ok(false) => return,
            Ok(true) => open.commit.reset(),
            Err(failure) => Err(failure),
        };
        self.settle(at, result);
    }

    /// Where one is due: all commits get their answers, and the last one may run it.
    fn make_way_for_a_checkpoint(&mut self) -> Result {
        self.making_way |= self.log.as_ref().is_some_and(Log::is_due);
        if !self.making_way {
            return Ok(());
        }
        let mut wait = Wait::new(self.plan.timeout);
        while self.open_commits().next().is_some() {
            for at in 0..self.submitted.len() {
                self.step(at);
            }
            if !wait.pause() {
                return Err(out_of_time(self.plan.timeout));
            }
        }
        self.making_way = false;
        if let Some(log) = &mut self.log {
            log.was_due();
        }
        Ok(())
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
