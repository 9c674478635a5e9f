import Glibc

/// Milliseconds since an arbitrary start. They never go backwards.
struct Milliseconds: Comparable {
    var value: Int64

    /// Exact to a few milliseconds.
    static var now: Milliseconds {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Milliseconds(value: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    static func < (first: Milliseconds, second: Milliseconds) -> Bool {
        first.value < second.value
    }

    static func + (time: Milliseconds, duration: Duration) -> Milliseconds {
        Milliseconds(value: time.value.addingReportingOverflow(duration.milliseconds).partialValue)
    }
}

extension Duration {
    /// The duration in milliseconds, at most a year.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(max(seconds, 0), 31_536_000) * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
