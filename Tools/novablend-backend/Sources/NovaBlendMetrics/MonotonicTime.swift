import Glibc

/// Nanoseconds since an arbitrary start. They never go backwards.
public enum MonotonicTime {
    /// The time now (clock_gettime(2), `CLOCK_MONOTONIC`).
    public static var nanoseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec &* 1_000_000_000 &+ time.tv_nsec
    }
}
