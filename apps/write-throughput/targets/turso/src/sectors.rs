//! The library's allocator: the system's, and with io_uring memory of whole sectors starts where a
//! sector could. The engine opens its file with O_DIRECT then, but reads headers into memory that is
//! aligned for nothing, which devices whose dma_alignment is a sector answer with EINVAL.
//!
//! Thread rule: any. Invariant: a library has one allocator, hence the global switch; it is set before
//! the engine opens a file and never reset. What is aligned is freed as all else is.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

const SECTOR: usize = 512;

pub struct Sectors {
    aligned: AtomicBool,
}

#[global_allocator]
static ALLOCATOR: Sectors = Sectors {
    aligned: AtomicBool::new(false),
};

pub fn align_sectors() {
    ALLOCATOR.aligned.store(true, Ordering::Relaxed);
}

impl Sectors {
    fn layout(&self, asked: Layout) -> Layout {
        let whole = asked.size() >= SECTOR && asked.size() % SECTOR == 0;
        if !whole || !self.aligned.load(Ordering::Relaxed) {
            return asked;
        }
        asked.align_to(SECTOR).unwrap_or(asked)
    }
}

unsafe impl GlobalAlloc for Sectors {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        System.alloc(self.layout(layout))
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        System.alloc_zeroed(self.layout(layout))
    }
    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        System.dealloc(start, layout)
    }
    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        System.realloc(start, layout, size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_sectors_are_aligned_once_asked_for() {
        let sectors = Sectors {
            aligned: AtomicBool::new(false),
        };
        let page = Layout::array::<u8>(4096).unwrap();
        assert_eq!(sectors.layout(page).align(), 1);
        sectors.aligned.store(true, Ordering::Relaxed);
        assert_eq!(sectors.layout(page).align(), SECTOR);
        let odd = Layout::array::<u8>(4097).unwrap();
        assert_eq!(sectors.layout(odd), odd);
    }
}
