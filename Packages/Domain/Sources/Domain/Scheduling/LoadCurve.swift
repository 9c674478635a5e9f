/// The number of seats that are taken over time. Intervals must be asked for in ascending order.
struct LoadCurve {
    private var steps: [(start: Timestamp, load: Int)] = []
    /// The index of the step that contains the start of the last interval.
    private var current = 0

    /// The seats that one interval can take at most, so that no sum overflows.
    private static let maximumSeats = 1_000_000

    /// Adds up the seats of the intervals.
    init(of busy: some Sequence<BusyInterval>) {
        var changes: [(at: Timestamp, by: Int)] = []
        changes.reserveCapacity(2 * busy.underestimatedCount)
        for interval in busy where interval.start < interval.end {
            let seats = min(max(interval.seats, 0), Self.maximumSeats)
            changes.append((interval.start, seats))
            changes.append((interval.end, -seats))
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
        while current + 1 < steps.count, steps[current + 1].start <= interval.lowerBound {
            current += 1
        }
        var (maximum, index) = (0, current)
        while index < steps.count, steps[index].start < interval.upperBound {
            maximum = max(maximum, steps[index].load)
            index += 1
        }
        return maximum
    }
}
