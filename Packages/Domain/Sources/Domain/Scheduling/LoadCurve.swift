/// The number of seats that are taken over time. Intervals must be asked for in ascending order.
struct LoadCurve {
    private var steps: ArraySlice<(start: Timestamp, load: Int)>

    /// Adds up the seats of the intervals.
    init(of busy: some Sequence<BusyInterval>) {
        var changes: [(at: Timestamp, by: Int)] = []
        for interval in busy where interval.start < interval.end {
            changes.append((interval.start, interval.seats))
            changes.append((interval.end, -interval.seats))
        }
        changes.sort { $0.at < $1.at }
        var (load, steps) = (0, [(start: Timestamp, load: Int)]())
        for (at, change) in changes {
            load += change
            if steps.last?.start == at {
                steps[steps.count - 1].load = load
            } else {
                steps.append((at, load))
            }
        }
        self.steps = steps[...]
    }

    /// The maximum load in `interval`.
    mutating func maximum(in interval: Range<Timestamp>) -> Int {
        while steps.count > 1, steps[steps.startIndex + 1].start <= interval.lowerBound {
            steps.removeFirst()
        }
        return steps.prefix { $0.start < interval.upperBound }.map(\.load).max() ?? 0
    }
}
