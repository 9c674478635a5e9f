/// What stands before a command whose clock is to be fast.
enum LaterClock {
    /// By an offset as faketime(1) has it, such as `8d` or `5m`.
    ///
    /// It names a semaphore after its process, and refuses to run where a killed one of the same
    /// number left its own; these tests kill many. The monotonic clock stays as it is: timers that
    /// wait on it would never fire.
    static func ahead(by offset: String) -> [String] {
        let script = """
            rm -f /dev/shm/sem.faketime_sem_$$ /dev/shm/faketime_shm_$$
            FAKETIME_DONT_FAKE_MONOTONIC=1 exec /usr/bin/faketime -f "$@"
            """
        return ["/bin/sh", "-c", script, "later", "+\(offset)"]
    }
}
