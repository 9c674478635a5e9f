/// The rule of a zone for all time after its last known transition.
public struct ZoneTail: Sendable, Hashable {
    /// The other half of the year.
    public struct Daylight: Sendable, Hashable {
        /// Seconds east of UTC while it lasts.
        public var offsetSeconds: Int
        /// When it begins, on the standard clock.
        public var begins: YearlyRule
        /// When it ends, on its own clock.
        public var ends: YearlyRule

        /// Makes it.
        public init(offsetSeconds: Int, begins: YearlyRule, ends: YearlyRule) {
            self.offsetSeconds = offsetSeconds
            self.begins = begins
            self.ends = ends
        }
    }

    /// Seconds east of UTC otherwise.
    public let standardOffsetSeconds: Int
    let daylight: Daylight?

    /// Makes a rule; nil for an offset that ``ZoneRules`` does not take.
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

    /// The changes of the years of the range and of those beside them, in order.
    func changes(from: Timestamp, to: Timestamp) -> [ZoneRules.Transition] {
        guard let daylight else { return [] }
        let first = year(at: from) - 1
        let last = year(at: to) + 1
        guard first <= last else { return [] }
        var changes: [ZoneRules.Transition] = []
        for year in first...last { changes += self.changes(in: year, daylight) }
        // Where one ends as the next begins, daylight goes on: the end comes first.
        changes.sort {
            ($0.instant, $0.offsetSeconds == daylight.offsetSeconds ? 1 : 0)
                < ($1.instant, $1.offsetSeconds == daylight.offsetSeconds ? 1 : 0)
        }
        return changes
    }

    private func changes(in year: Int, _ daylight: Daylight) -> [ZoneRules.Transition] {
        let begins = daylight.begins.localTime(in: year).map {
            ZoneRules.Transition(
                Timestamp(secondsSince1970: $0.secondsSince1970 - Int64(standardOffsetSeconds)),
                offsetSeconds: daylight.offsetSeconds
            )
        }
        let ends = daylight.ends.localTime(in: year).map {
            ZoneRules.Transition(
                Timestamp(secondsSince1970: $0.secondsSince1970 - Int64(daylight.offsetSeconds)),
                offsetSeconds: standardOffsetSeconds
            )
        }
        return [begins, ends].compactMap(\.self)
    }

    private func year(at instant: Timestamp) -> Int {
        LocalTime(instant, offsetSeconds: standardOffsetSeconds).date.parts.year
    }
}
