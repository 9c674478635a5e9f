/// How many of the observed values are at most as large as each of some bounds. Any thread may add
/// values.
public final class Histogram: Sendable {
    /// What the values mean.
    public enum Unit: Sendable {
        /// Nanoseconds, which are reported in seconds.
        case nanoseconds
        /// A number of things.
        case count
    }

    /// The upper bounds of the buckets, ascending. They are inclusive.
    let bounds: [Int]
    let unit: Unit
    /// The counters: one for each bound, and one for larger values.
    private let buckets: [Counter]
    private let total = Counter()

    /// Creates an empty histogram.
    ///
    /// - Parameter bounds: The inclusive upper bounds of the buckets, in ascending order.
    public init(bounds: [Int], unit: Unit) {
        self.bounds = bounds
        self.unit = unit
        buckets = (0...bounds.count).map { _ in Counter() }
    }

    /// A histogram of durations in nanoseconds, with bounds from 0.25 ms to 10 s.
    public static func ofDurations() -> Histogram {
        let microseconds = [
            250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
            1_000_000, 2_500_000, 5_000_000, 10_000_000,
        ]
        return Histogram(bounds: microseconds.map { $0 * 1_000 }, unit: .nanoseconds)
    }

    /// Adds a value, which must not be negative.
    public func observe(_ value: Int) {
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        buckets[index].increment()
        total.increment(by: value)
    }

    /// The number of values in each bucket, not including the buckets before it.
    var counts: [Int] { buckets.map(\.value) }

    /// The sum of all values.
    var sum: Int { total.value }
}
