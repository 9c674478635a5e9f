/// Runs a command with a clock that is ahead.
enum FakeClock {
    /// The start of the command line; `offset` has the format of faketime(1), such as `8d` or `5m`.
    ///
    /// faketime names a semaphore after its process id. It fails to start if a killed process with the
    /// same id left that semaphore behind, so the script deletes it first. The monotonic clock is not
    /// faked, because timers that wait on it would never fire.
    static func ahead(by offset: String) -> [String] {
        let script = """
            rm -f /dev/shm/sem.faketime_sem_$$ /dev/shm/faketime_shm_$$
            FAKETIME_DONT_FAKE_MONOTONIC=1 exec /usr/bin/faketime -f "$@"
            """
        return ["/bin/sh", "-c", script, "faketime", "+\(offset)"]
    }
}
