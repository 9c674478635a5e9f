/// The number of seats that are taken over time. Intervals must be asked for in ascending order.
struct LoadCurve {
    private var steps: [(start: Timestamp, load: Int)] = []
    /// The index of the last step before the previous interval, or 0.
    private var first = 0

    /// Adds up the seats of the intervals.
    init(of busy: some Sequence<BusyInterval>) {
        var changes: [(at: Timestamp, by: Int)] = []
        changes.reserveCapacity(2 * busy.underestimatedCount)
        for interval in busy where interval.start < interval.end {
            changes.append((interval.start, interval.seats))
            changes.append((interval.end, -interval.seats))
        }
        changes.sort { $0.at < $1.at }
        steps.reserveCapacity(changes.count)
        var load = 0
        for (at, change) in changes {
            load += change
            if steps.last?.start == at {
                steps[steps.count - 1].load = load
            } else {
                steps.append((at, load))
            }
        }
    }

    /// The maximum load in `interval`.
    mutating func maximum(in interval: Range<Timestamp>) -> Int {
        while first + 1 < steps.count, steps[first + 1].start <= interval.lowerBound { first += 1 }
        var maximum = 0
        for step in steps[first...] {
            if step.start >= interval.upperBound { break }
            maximum = max(maximum, step.load)
        }
        return maximum
    }
}
