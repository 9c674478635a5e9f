/// The rule of a time zone for all times after its last listed transition.
public struct ZoneTail: Sendable, Hashable {
    /// The rule for daylight saving time.
    public struct Daylight: Sendable, Hashable {
        /// The offset during daylight saving time, in seconds east of UTC.
        public var offsetSeconds: Int
        /// The start of daylight saving time, in standard time.
        public var begins: YearlyRule
        /// The end of daylight saving time, in daylight saving time.
        public var ends: YearlyRule

        /// Creates a daylight saving rule.
        public init(offsetSeconds: Int, begins: YearlyRule, ends: YearlyRule) {
            self.offsetSeconds = offsetSeconds
            self.begins = begins
            self.ends = ends
        }
    }

    /// The offset outside daylight saving time, in seconds east of UTC.
    public let standardOffsetSeconds: Int
    let daylight: Daylight?

    /// Creates a rule; nil unless its offsets are in ``ZoneRules/offsets``.
    public init?(standardOffsetSeconds: Int, daylight: Daylight? = nil) {
        let offsets = [standardOffsetSeconds] + (daylight.map { [$0.offsetSeconds] } ?? [])
        guard offsets.allSatisfy(ZoneRules.offsets.contains) else { return nil }
        self.standardOffsetSeconds = standardOffsetSeconds
        self.daylight = daylight
    }

    func offsetSeconds(at instant: Timestamp) -> Int {
        changes(from: instant, to: instant).last { $0.instant <= instant }?.offsetSeconds
            ?? standardOffsetSeconds
    }

    /// The changes in the years from one year before the range to one year after it, in order.
    func changes(from: Timestamp, to: Timestamp) -> [ZoneRules.Transition] {
        guard let daylight else { return [] }
        let first = year(at: from) - 1
        let last = year(at: to) + 1
        guard first <= last else { return [] }
        var changes: [ZoneRules.Transition] = []
        for year in first...last { changes += self.changes(in: year, daylight) }
        // If daylight saving time ends and begins at the same instant, the end sorts first, so that
        // daylight saving time continues.
        changes.sort {
            ($0.instant, $0.offsetSeconds == daylight.offsetSeconds ? 1 : 0)
                < ($1.instant, $1.offsetSeconds == daylight.offsetSeconds ? 1 : 0)
        }
        return changes
    }

    private func changes(in year: Int, _ daylight: Daylight) -> [ZoneRules.Transition] {
        let begins = daylight.begins.localTime(in: year).map {
            ZoneRules.Transition(
                Timestamp(secondsSince1970: $0.localSeconds - Int64(standardOffsetSeconds)),
                offsetSeconds: daylight.offsetSeconds
            )
        }
        let ends = daylight.ends.localTime(in: year).map {
            ZoneRules.Transition(
                Timestamp(secondsSince1970: $0.localSeconds - Int64(daylight.offsetSeconds)),
                offsetSeconds: standardOffsetSeconds
            )
        }
        return [begins, ends].compactMap(\.self)
    }

    private func year(at instant: Timestamp) -> Int {
        LocalTime(instant, offsetSeconds: standardOffsetSeconds).date.parts.year
    }
}
