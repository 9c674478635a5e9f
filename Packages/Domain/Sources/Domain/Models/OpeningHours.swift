/// When a salon is open, by its own wall clock, the same every day.
public struct OpeningHours: Sendable, Hashable {
    /// The first minute in which the salon is open.
    public var opens: TimeOfDay
    /// The first minute in which it is closed again.
    public var closes: TimeOfDay

    /// Makes opening hours. Closing before opening means past midnight; closing at the minute of
    /// opening means around the clock.
    public init(opens: TimeOfDay, closes: TimeOfDay) {
        self.opens = opens
        self.closes = closes
    }

    /// Whether the salon is open at `time`.
    public func contains(_ time: TimeOfDay) -> Bool {
        if opens == closes { return true }
        if opens < closes { return opens <= time && time < closes }
        return opens <= time || time < closes
    }
}

extension OpeningHours: CustomStringConvertible {
    /// The hours as `09:30-22:30`.
    public var description: String { "\(opens)-\(closes)" }
}
