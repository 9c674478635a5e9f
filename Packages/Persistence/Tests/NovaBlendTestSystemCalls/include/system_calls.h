#ifndef NOVABLEND_TEST_SYSTEM_CALLS_H
#define NOVABLEND_TEST_SYSTEM_CALLS_H

// Replaces five functions of the C library in the test program. Each counts its calls per thread,
// and fails or transfers fewer bytes if a test on that thread has requested it.

enum system_call {
    system_call_fsync,
    system_call_fdatasync,
    system_call_pread,
    system_call_pwrite,
    system_call_fstat,
};

/// Resets the counts and faults of this thread.
void system_calls_reset(void);

/// The number of times that this thread has called `call` since the reset.
int system_calls_count(enum system_call call);

/// Makes the calls `first` to `last` of this thread, counted from 1, fail with `error`.
void system_calls_fail(enum system_call call, int first, int last, int error);

/// Makes every `pread` and `pwrite` of this thread transfer at most `length` bytes; 0 for no limit.
void system_calls_shorten(int length);

#endif
