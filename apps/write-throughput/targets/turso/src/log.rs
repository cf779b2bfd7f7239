//! The engine's logical log, as far as a session has to know it: when it is so long that a commit
//! may run a checkpoint which blocks. The engine tries one at each commit from its threshold on,
//! and succeeds where no other transaction is open.

use std::path::PathBuf;

pub struct Log {
    path: PathBuf,
    threshold: u64,
    due: u64,
}

impl Log {
    pub fn new(path: PathBuf, threshold: u64) -> Self {
        Log {
            path,
            threshold,
            due: threshold,
        }
    }

    /// Time to have no transaction open, so that a checkpoint can run.
    pub fn is_due(&self) -> bool {
        self.size() >= self.due
    }

    /// No transaction of this session was open. Those of others may have been: then it is due again
    /// only when the log has grown by a quarter, as each time costs the overlap of commits.
    pub fn was_due(&mut self) {
        let size = self.size();
        self.due = match size < self.threshold {
            true => self.threshold,
            false => size + self.threshold / 4,
        };
    }

    fn size(&self) -> u64 {
        std::fs::metadata(&self.path).map_or(0, |file| file.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_due_from_its_threshold_on_and_again_when_it_has_grown() {
        let path = std::env::temp_dir().join(format!("turso-target-log-{}", std::process::id()));
        let write = |size| std::fs::write(&path, vec![0u8; size]).unwrap();
        let mut log = Log::new(path.clone(), 100);
        assert!(!log.is_due(), "there is none");
        write(99);
        assert!(!log.is_due());
        write(100);
        assert!(log.is_due());
        log.was_due();
        assert!(!log.is_due(), "others were in the way");
        write(125);
        assert!(log.is_due());
        write(0);
        log.was_due();
        write(100);
        assert!(log.is_due(), "a checkpoint has emptied it");
        std::fs::remove_file(path).unwrap();
    }
}
