mod c {
    use std::sync::atomic::{AtomicIsize, Ordering::SeqCst};

    pub static ALIVE: AtomicIsize = AtomicIsize::new(0);

    /// # Safety
    /// Sound for every `len`; the memory holds zeros and has to be given back with the same `len`.
    pub unsafe fn buffer_new(len: usize) -> *mut f32 {
        ALIVE.fetch_add(1, SeqCst);
        Box::leak(vec![0f32; len].into_boxed_slice()).as_mut_ptr()
    }

    /// # Safety
    /// `pointer` comes from `buffer_new(len)` and is given back once.
    pub unsafe fn buffer_free(pointer: *mut f32, len: usize) {
        ALIVE.fetch_sub(1, SeqCst);
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(pointer, len)) });
    }
}

struct Buffer {
    pointer: *mut f32,
    len: usize,
}

impl Buffer {
    fn zeros(len: usize) -> Self {
        // BEGIN SOLUTION
        // SAFETY: buffer_new accepts every length.
        let pointer = unsafe { c::buffer_new(len) };
        Self { pointer, len }
        // END SOLUTION
    }

    fn as_slice(&self) -> &[f32] {
        // BEGIN SOLUTION
        // SAFETY: pointer and len are those of one allocation that lives as long as self.
        unsafe { std::slice::from_raw_parts(self.pointer, self.len) }
        // END SOLUTION
    }

    fn as_mut_slice(&mut self) -> &mut [f32] {
        // BEGIN SOLUTION
        // SAFETY: as in as_slice, and `&mut self` means that nobody else looks.
        unsafe { std::slice::from_raw_parts_mut(self.pointer, self.len) }
        // END SOLUTION
    }
}

impl Clone for Buffer {
    fn clone(&self) -> Self {
        // BEGIN SOLUTION
        let mut copy = Self::zeros(self.len);
        copy.as_mut_slice().copy_from_slice(self.as_slice());
        copy
        // END SOLUTION
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // BEGIN SOLUTION
        // SAFETY: made by buffer_new in `zeros`, and freed nowhere else.
        unsafe { c::buffer_free(self.pointer, self.len) }
        // END SOLUTION
    }
}
// BEGIN HIDDEN TESTS
use std::sync::atomic::Ordering::SeqCst;
{
    let mut first = Buffer::zeros(3);
    assert_eq!(first.as_slice(), [0., 0., 0.], "a new buffer holds zeros");
    assert_eq!(
        c::ALIVE.load(SeqCst),
        1,
        "one buffer is one piece of memory"
    );
    first.as_mut_slice()[1] = 5.;
    let second = first.clone();
    first.as_mut_slice()[2] = 7.;
    assert_eq!(c::ALIVE.load(SeqCst), 2, "a clone has memory of its own");
    assert_eq!(
        second.as_slice(),
        [0., 5., 0.],
        "a clone keeps its numbers when the first one changes"
    );
    assert_eq!(
        first.as_slice(),
        [0., 5., 7.],
        "the first one has what was written last"
    );
}
assert_eq!(
    c::ALIVE.load(SeqCst),
    0,
    "all memory is given back, each piece once"
);
// END HIDDEN TESTS
