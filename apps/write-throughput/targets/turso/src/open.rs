//! One of the engine's connections with the statements of a transaction, prepared once.

use std::sync::Arc;
use std::time::Duration;

use crate::turso::{Connection, Database, Result, Statement};
use crate::waiting::run;

/// Statements in front: they end before their connection.
pub struct Open {
    pub begin: Statement,
    pub insert: Statement,
    pub commit: Statement,
    rollback: Statement,
    pub connection: Connection,
}

impl Open {
    pub fn new(database: &Arc<Database>, begin: &str) -> Result<Self> {
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
    pub fn warm_up(&self, timeout: Duration) -> Result {
        let any = self.connection.prepare("PRAGMA user_version = 1")?;
        run(&any, timeout)
    }

    pub fn roll_back(&self, timeout: Duration) -> Result {
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
