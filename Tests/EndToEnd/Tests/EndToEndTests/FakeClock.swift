/// Runs a command with a clock that differs from the machine's.
enum FakeClock {
    /// The start of a command line whose clock is ahead by `offset`, such as `8d` or `5m`.
    static func ahead(by offset: String) -> [String] { arguments("+\(offset)") }

    /// The start of a command line whose clock is behind by `offset`, such as `8d`.
    static func behind(by offset: String) -> [String] { arguments("-\(offset)") }

    /// The start of a command line whose clock starts at `time`, such as `2026-11-24 10:20:00`.
    static func starting(at time: String) -> [String] { arguments("@\(time)") }

    /// The start of a command line; `time` has the format of faketime(1).
    ///
    /// faketime names a semaphore after its process id. It fails to start if a killed process with the
    /// same id left that semaphore behind, so the script deletes it first. The monotonic clock is not
    /// faked, because timers that wait on it would never fire.
    private static func arguments(_ time: String) -> [String] {
        let script = """
            rm -f /dev/shm/sem.faketime_sem_$$ /dev/shm/faketime_shm_$$
            FAKETIME_DONT_FAKE_MONOTONIC=1 exec /usr/bin/faketime -f "$@"
            """
        return ["/bin/sh", "-c", script, "faketime", time]
    }
}
