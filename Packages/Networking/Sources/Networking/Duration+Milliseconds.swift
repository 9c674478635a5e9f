extension Duration {
    /// The longest time that libcurl accepts, about 24 days.
    static let longest = Duration.milliseconds(Int32.max)

    /// The duration within zero and ``longest``, so that arithmetic with it cannot overflow.
    var clamped: Duration { min(max(self, .zero), .longest) }

    /// Whole milliseconds of ``clamped``, rounded up: 0 only for a duration that is not positive.
    var milliseconds: Int {
        let (seconds, attoseconds) = clamped.components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        return Int(seconds * 1_000 + (attoseconds + perMillisecond - 1) / perMillisecond)
    }
}
