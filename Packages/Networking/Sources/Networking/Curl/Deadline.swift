/// The end of a span of time, on a clock that does not jump.
struct Deadline {
    private let end: ContinuousClock.Instant

    /// The deadline `milliseconds` from now; a negative span is none, and none is longer than a
    /// month.
    init(milliseconds: Int) {
        end = .now.advanced(by: .milliseconds(min(max(milliseconds, 0), Int(Int32.max))))
    }

    /// How much is left, rounded up; 0 when it is over.
    var remainingMilliseconds: Int {
        let left = (end - .now) / .milliseconds(1)
        return left > 0 ? Int(left.rounded(.up)) : 0
    }
}
