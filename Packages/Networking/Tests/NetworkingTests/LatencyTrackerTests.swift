import Testing

@testable import Networking

@Suite("Latency tracker")
struct LatencyTrackerTests {
    private func tracker(after count: Int) -> LatencyTracker {
        var tracker = LatencyTracker()
        for _ in 0..<count { tracker.record(microseconds: 199, succeeded: true) }
        return tracker
    }

    @Test("Transfers are fast after sixteen in a row below 200 microseconds, and not before")
    func sixteen() {
        #expect(!tracker(after: 15).isFast)
        #expect(tracker(after: 16).isFast)
        #expect(tracker(after: 17).isFast)
    }

    @Test("Transfers are no longer fast when one takes 200 microseconds")
    func slow() {
        var tracker = tracker(after: 16)
        tracker.record(microseconds: 200, succeeded: true)
        #expect(!tracker.isFast)
        for _ in 0..<15 { tracker.record(microseconds: 199, succeeded: true) }
        #expect(!tracker.isFast)
        tracker.record(microseconds: 199, succeeded: true)
        #expect(tracker.isFast)
    }

    @Test("Transfers are no longer fast when one fails")
    func failure() {
        var tracker = tracker(after: 16)
        tracker.record(microseconds: 0, succeeded: false)
        #expect(!tracker.isFast)
    }

    @Test("Transfers are no longer fast when two overlap")
    func overlap() {
        var tracker = tracker(after: 16)
        tracker.recordOverlap()
        #expect(!tracker.isFast)
    }
}
