import Glibc

/// A clock that does not jump.
enum SystemTime {
    /// Milliseconds since some moment.
    static var milliseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
}
