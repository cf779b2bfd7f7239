//! Waiting for statements, which answer at once that they are not done: in turns, never for longer
//! than a timeout.

use std::time::{Duration, Instant};

use crate::turso::{Failure, Progress, Result, Statement};

/// Waits for another thread: by turns that cost little latency, then by sleeping. Ends in time.
pub struct Wait {
    turns: u32,
    end: Instant,
}

impl Wait {
    pub fn new(timeout: Duration) -> Self {
        Wait {
            turns: 0,
            end: Instant::now() + timeout,
        }
    }

    /// False: time is up.
    pub fn pause(&mut self) -> bool {
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

pub fn poll_done(statement: &Statement) -> Result<bool> {
    Ok(statement.poll()? == Progress::Done)
}

pub fn out_of_time(timeout: Duration) -> Failure {
    Failure::Busy(format!("no answer for {} ms", timeout.as_millis()))
}
