import Domain

/// Arithmetic with intervals of time.
extension [Range<Timestamp>] {
    /// The union, in order. Adjacent intervals become one.
    var union: [Range<Timestamp>] {
        var union: [Range<Timestamp>] = []
        for interval in sorted(by: { $0.lowerBound < $1.lowerBound }) where !interval.isEmpty {
            if let last = union.last, interval.lowerBound <= last.upperBound {
                let end = Swift.max(last.upperBound, interval.upperBound)
                union[union.count - 1] = last.lowerBound..<end
            } else {
                union.append(interval)
            }
        }
        return union
    }

    /// What remains of these intervals outside of `others`, in order.
    func subtracting(_ others: [Range<Timestamp>]) -> [Range<Timestamp>] {
        let others = others.union
        return union.flatMap { interval in
            var rest: [Range<Timestamp>] = []
            var start = interval.lowerBound
            for other in others where other.overlaps(interval) {
                if start < other.lowerBound { rest.append(start..<other.lowerBound) }
                start = Swift.max(start, other.upperBound)
            }
            if start < interval.upperBound { rest.append(start..<interval.upperBound) }
            return rest
        }
    }

    /// The parts of these intervals between two instants.
    func clipped(to range: Range<Timestamp>) -> [Range<Timestamp>] {
        filter { $0.overlaps(range) }.map { $0.clamped(to: range) }
    }
}
