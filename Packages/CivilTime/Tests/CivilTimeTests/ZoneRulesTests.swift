import CivilTime
import Testing

@Suite("Rules of a time zone")
struct ZoneRulesTests {
    // 2026-03-29T01:00:00Z and 2026-10-25T01:00:00Z.
    private let spring: Int64 = 1_774_746_000
    private let fall: Int64 = 1_792_890_000

    @Test("an offset applies from exactly the second of its transition")
    func listed() throws {
        let rules = try SampleRules.rules(from: 10, [(100, 20), (200, 30)])
        let expected: [(Int64, Int)] = [
            (.min, 10), (99, 10), (100, 20), (199, 20), (200, 30), (.max, 30),
        ]
        for (seconds, offset) in expected {
            #expect(rules.offsetSeconds(at: SampleRules.instant(seconds)) == offset, "\(seconds)")
        }
    }

    @Test("a tail applies from the last transition on; without transitions, it always applies")
    func tail() throws {
        let tail = try SampleRules.berlinTail()
        for transitions in [[], [(instant: spring - 86_400, offset: 3_600)]] {
            let rules = try SampleRules.rules(from: 0, transitions, tail: tail)
            let expected = [
                (spring - 1, 3_600), (spring, 7_200), (fall - 1, 7_200), (fall, 3_600),
            ]
            for (seconds, offset) in expected {
                let instant = SampleRules.instant(seconds)
                #expect(rules.offsetSeconds(at: instant) == offset, "\(seconds)")
            }
        }
        let late = try SampleRules.rules(from: 0, [(fall, 3_600)], tail: tail)
        #expect(late.offsetSeconds(at: SampleRules.instant(fall - 1)) == 0)
        #expect(late.offsetSeconds(at: SampleRules.instant(fall)) == 3_600)
    }

    @Test("a range of transitions includes its start and excludes its end")
    func range() throws {
        let rules = try SampleRules.rules(from: 10, [(100, 20), (200, 30)])
        func instants(_ start: Int64, _ end: Int64) -> [Int64] {
            rules.transitions(from: SampleRules.instant(start), to: SampleRules.instant(end))
                .map(\.instant.secondsSince1970)
        }
        #expect(instants(100, 200) == [100] && instants(101, 201) == [200])
        #expect(instants(100, 201) == [100, 200] && instants(99, 100) == [])
        #expect(instants(100, 100) == [] && instants(200, 100) == [])
    }

    @Test("a range of the tail includes its start and excludes its end")
    func tailRange() throws {
        let rules = try SampleRules.rules(from: 3_600, tail: try SampleRules.berlinTail())
        func instants(_ start: Int64, _ end: Int64) -> [Int64] {
            rules.transitions(from: SampleRules.instant(start), to: SampleRules.instant(end))
                .map(\.instant.secondsSince1970)
        }
        #expect(instants(spring, fall) == [spring] && instants(spring + 1, fall + 1) == [fall])
        #expect(instants(spring, fall + 1) == [spring, fall])
        // New Year's Eve: the changes on both sides are in other years.
        #expect(instants(fall - 1, fall + 200 * 86_400) == [fall, 1_806_195_600])
    }

    @Test("a transition that the tail repeats is reported once; one without a change is not")
    func repeated() throws {
        let tail = try SampleRules.berlinTail()
        let rules = try SampleRules.rules(
            from: 3_600,
            [(spring - 10, 3_600), (spring, 7_200)],
            tail: tail
        )
        let transitions = rules.transitions(
            from: SampleRules.instant(spring - 100),
            to: SampleRules.instant(fall + 1)
        )
        #expect(
            transitions == [
                .init(SampleRules.instant(spring), offsetSeconds: 7_200),
                .init(SampleRules.instant(fall), offsetSeconds: 3_600),
            ]
        )
    }

    @Test(
        "daylight saving time that begins at the instant at which it ends never ends",
        arguments: [
            // At the turn of the year, and on one day of the same year.
            (YearlyRule.Day.withLeapDay(0), YearlyRule.Day.withoutLeapDay(365), 90_000),
            (.withoutLeapDay(100), .withoutLeapDay(100), 3_600),
        ]
    )
    func allYear(first: YearlyRule.Day, last: YearlyRule.Day, secondsAfterMidnight: Int) throws {
        let begins = try #require(YearlyRule(first, secondsAfterMidnight: 0))
        let ends = try #require(YearlyRule(last, secondsAfterMidnight: secondsAfterMidnight))
        let daylight = ZoneTail.Daylight(offsetSeconds: 3_600, begins: begins, ends: ends)
        let tail = try #require(ZoneTail(standardOffsetSeconds: 0, daylight: daylight))
        let rules = try SampleRules.rules(from: 0, tail: tail)
        // 2026-01-01T00:00:00Z to 2028-01-01.
        let (start, end) = (SampleRules.instant(1_767_225_600), SampleRules.instant(1_830_297_600))
        #expect(rules.transitions(from: start, to: end).isEmpty)
        #expect(rules.offsetSeconds(at: start) == 3_600 && rules.offsetSeconds(at: end) == 3_600)
    }

    @Test("transitions that are not in ascending order are rejected", arguments: [99, 100])
    func ascending(second: Int64) {
        let transitions = [(Int64(100), 0), (second, 60)].map {
            ZoneRules.Transition(SampleRules.instant($0.0), offsetSeconds: $0.1)
        }
        let rules = ZoneRules(firstOffsetSeconds: 0, transitions: transitions, tail: nil)
        #expect(rules == nil)
    }

    @Test("every offset is at most 25:59:59 from UTC", arguments: [93_599, -93_599])
    func boundedOffsets(offset: Int) throws {
        let beyond = offset + offset.signum()
        let transition = ZoneRules.Transition(SampleRules.instant(0), offsetSeconds: beyond)
        #expect(ZoneRules(firstOffsetSeconds: offset, transitions: [], tail: nil) != nil)
        #expect(ZoneRules(firstOffsetSeconds: beyond, transitions: [], tail: nil) == nil)
        #expect(ZoneRules(firstOffsetSeconds: 0, transitions: [transition], tail: nil) == nil)
        #expect(ZoneTail(standardOffsetSeconds: offset) != nil)
        #expect(ZoneTail(standardOffsetSeconds: beyond) == nil)
        let day = try #require(YearlyRule(.withLeapDay(1), secondsAfterMidnight: 0))
        let daylight = ZoneTail.Daylight(offsetSeconds: beyond, begins: day, ends: day)
        #expect(ZoneTail(standardOffsetSeconds: 0, daylight: daylight) == nil)
    }
}
