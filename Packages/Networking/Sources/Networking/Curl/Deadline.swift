/// The end of a span of time.
struct Deadline {
    private let end: Int

    /// The deadline `milliseconds` from now; a negative span is none, and none is longer than a
    /// month.
    init(milliseconds: Int) {
        end = SystemTime.milliseconds + min(max(milliseconds, 0), Int(Int32.max))
    }

    /// How much is left; 0 when it is over.
    var remainingMilliseconds: Int { max(end - SystemTime.milliseconds, 0) }
}
