import Testing

@testable import Domain

@Suite("The number of seats that are taken over time")
struct LoadCurveTests {
    private func interval(_ start: Int64, _ end: Int64, seats: Int = 1) -> BusyInterval {
        BusyInterval(
            start: Timestamp(secondsSince1970: start),
            end: Timestamp(secondsSince1970: end),
            seats: seats
        )
    }

    private func range(_ start: Int64, _ end: Int64) -> Range<Timestamp> {
        Timestamp(secondsSince1970: start)..<Timestamp(secondsSince1970: end)
    }

    @Test("is the highest sum within an interval, whose bounds count to the second")
    func bounds() {
        let busy = [interval(20, 30, seats: 2), interval(10, 20), interval(25, 40, seats: 3)]
        for (start, end, expected): (Int64, Int64, Int) in [
            (0, 10, 0), (0, 11, 1), (10, 20, 1), (10, 21, 2), (19, 25, 2), (19, 26, 5),
            (29, 30, 5), (30, 31, 3), (39, 90, 3), (40, 41, 0),
        ] {
            var curve = LoadCurve(of: busy)
            let maximum = curve.maximum(in: range(start, end))
            #expect(maximum == expected, "\(start) to \(end)")
        }
    }

    @Test("is found for ascending intervals that overlap, and again for the same one")
    func ascending() {
        var curve = LoadCurve(of: [interval(10, 20, seats: 4), interval(30, 35, seats: 2)])
        let found = [(0, 15), (5, 31), (5, 31), (20, 31), (20, 30), (34, 90), (35, 90)].map {
            curve.maximum(in: range($0, $1))
        }
        #expect(found == [4, 4, 4, 2, 0, 2, 0])
    }

    @Test("does not count intervals without a length or with a negative number of seats")
    func nothing() {
        var curve = LoadCurve(of: [
            interval(10, 10), interval(20, 15), interval(0, 90, seats: -3),
            interval(0, 90, seats: 0),
        ])
        let maximum = curve.maximum(in: range(0, 90))
        #expect(maximum == 0)
    }

    @Test("does not trap for any numbers")
    func extremes() {
        let busy = interval(.min, .max, seats: .max)
        var curve = LoadCurve(of: [busy, busy, interval(.min, .max, seats: .min)])
        let maximum = curve.maximum(in: range(.min, .max))
        #expect(maximum == 2_000_000)
    }
}
