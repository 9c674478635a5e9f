extension Duration {
    /// The longest time that libcurl accepts, about 24 days.
    static let longest = Duration.milliseconds(Int32.max)

    /// The duration, limited to zero through ``longest`` so that arithmetic cannot overflow.
    var clamped: Duration { min(max(self, .zero), .longest) }

    /// ``clamped`` in whole milliseconds, rounded up: only a duration of zero or less becomes 0.
    var milliseconds: Int {
        let (seconds, attoseconds) = clamped.components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        return Int(seconds * 1_000 + (attoseconds + perMillisecond - 1) / perMillisecond)
    }
}
