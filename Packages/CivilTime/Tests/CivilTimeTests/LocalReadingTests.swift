import CivilTime
import Testing

@Suite("Instants of a local time")
struct LocalReadingTests {
    private func instant(_ seconds: Int64) -> Timestamp { SampleRules.instant(seconds) }

    @Test("a local time that the clock skips lies in a gap, whose edges are exact")
    func gap() throws {
        // At 1000 the clock moves from 1000 to 1060.
        let rules = try SampleRules.rules(from: 0, [(1_000, 60)])
        #expect(rules.reading(of: SampleRules.local(999)) == .unique(instant(999)))
        for skipped: Int64 in [1_000, 1_059] {
            let gap = LocalReading.gap(
                before: instant(skipped - 60),
                after: instant(skipped),
                transition: instant(1_000)
            )
            #expect(rules.reading(of: SampleRules.local(skipped)) == gap)
            #expect(gap.first == instant(1_000))
        }
        #expect(rules.reading(of: SampleRules.local(1_060)) == .unique(instant(1_000)))
    }

    @Test("a local time that the clock shows twice is ambiguous, and the overlap's edges are exact")
    func overlap() throws {
        // At 1000 the clock moves from 1060 back to 1000.
        let rules = try SampleRules.rules(from: 60, [(1_000, 0)])
        #expect(rules.reading(of: SampleRules.local(999)) == .unique(instant(939)))
        for repeated: Int64 in [1_000, 1_059] {
            let both = LocalReading.ambiguous(
                earlier: instant(repeated - 60),
                later: instant(repeated)
            )
            #expect(rules.reading(of: SampleRules.local(repeated)) == both)
            #expect(both.first == instant(repeated - 60))
        }
        #expect(rules.reading(of: SampleRules.local(1_060)) == .unique(instant(1_060)))
        #expect(LocalReading.unique(instant(7)).first == instant(7))
    }

    @Test("a local time that occurs three times has the first and the last of its instants")
    func threeTimes() throws {
        let rules = try SampleRules.rules(from: 120, [(1_000, 60), (1_030, 0)])
        let both = LocalReading.ambiguous(earlier: instant(930), later: instant(1_050))
        #expect(rules.reading(of: SampleRules.local(1_050)) == both)
    }

    @Test("a local time in two gaps has the first gap")
    func twoGaps() throws {
        let rules = try SampleRules.rules(from: 0, [(1_000, 60), (1_001, 0), (1_002, 60)])
        let gap = LocalReading.gap(
            before: instant(970),
            after: instant(1_030),
            transition: instant(1_000)
        )
        #expect(rules.reading(of: SampleRules.local(1_030)) == gap)
    }

    @Test("instants are found for the largest offsets, too", arguments: [93_599, -93_599])
    func largestOffsets(offset: Int) throws {
        let rules = try SampleRules.rules(from: offset, [(0, -offset)])
        let before = rules.reading(of: SampleRules.local(Int64(offset) - 1))
        let after = rules.reading(of: SampleRules.local(-Int64(offset)))
        if offset > 0 {
            #expect(before == .ambiguous(earlier: instant(-1), later: instant(187_197)))
            #expect(after == .ambiguous(earlier: instant(-187_198), later: instant(0)))
        } else {
            #expect(before == .unique(instant(-1)) && after == .unique(instant(0)))
        }
    }

    @Test("the first and the last local time of the calendar have an instant")
    func ends() throws {
        let rules = try SampleRules.rules(from: 3_600, tail: try SampleRules.berlinTail())
        let earliest = rules.reading(of: SampleRules.local(.min))
        let latest = rules.reading(of: SampleRules.local(.max))
        #expect(earliest == .unique(instant(-62_135_600_400)))
        #expect(latest == .unique(instant(253_402_297_199)))
    }
}
