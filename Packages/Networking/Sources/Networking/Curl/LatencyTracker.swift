/// Tracks whether the server responds so fast that a sender should poll for its own response.
struct LatencyTracker {
    /// A transfer that takes less time counts as fast.
    var fastMicroseconds = 200
    /// How many transfers in a row succeeded, were fast, and did not overlap another one.
    private var consecutiveFastTransfers = 0

    /// Whether the next response is likely to be fast.
    var isFast: Bool { consecutiveFastTransfers >= 16 }

    /// Records that a transfer started while another one was in flight.
    mutating func recordOverlap() { consecutiveFastTransfers = 0 }

    /// Records the end of a transfer.
    mutating func record(microseconds: Int, succeeded: Bool) {
        let isFast = succeeded && microseconds < fastMicroseconds
        consecutiveFastTransfers = isFast ? consecutiveFastTransfers &+ 1 : 0
    }
}
