import Domain
import Testing

@Suite("Times in grains")
struct TimePrecisionTests {
    @Test(
        "are rounded down at the start and up at the end, also before 1970",
        arguments: [
            (0, 0, 0), (1, 0, 300), (299, 0, 300), (300, 300, 300), (301, 300, 600),
            (-1, -300, 0), (-299, -300, 0), (-300, -300, -300), (-301, -600, -300),
        ] as [(Int64, Int64, Int64)]
    )
    func rounding(seconds: Int64, start: Int64, end: Int64) {
        let instant = Timestamp(secondsSince1970: seconds)
        #expect(TimePrecision.grains.start(of: instant).secondsSince1970 == start)
        #expect(TimePrecision.grains.end(of: instant).secondsSince1970 == end)
        #expect(TimePrecision.exact.start(of: instant) == instant)
        #expect(TimePrecision.exact.end(of: instant) == instant)
    }

    @Test("do not trap at the earliest and the latest instant", arguments: [Int64.min, .max])
    func extremes(seconds: Int64) {
        let instant = Timestamp(secondsSince1970: seconds)
        #expect(TimePrecision.grains.start(of: instant) <= instant)
        #expect(TimePrecision.grains.end(of: instant) >= instant)
    }

    @Test("an appointment from 11:24:59 for 30 minutes takes the time from 11:20 to 11:55")
    func example() throws {
        let start = Timestamp(secondsSince1970: 11 * 3_600 + 24 * 60 + 59)
        let schedule = Schedule(of: plainSalon, on: .offset(minutes: 0), precision: .grains)
        let interval = try schedule.requirement(for: BookingOptions()).interval(from: start)
        #expect(interval.lowerBound.secondsSince1970 == 11 * 3_600 + 20 * 60)
        #expect(interval.upperBound.secondsSince1970 == 11 * 3_600 + 55 * 60)
    }

    private var plainSalon: Salon {
        let time = TimeOfDay(minuteOfDay: 0)
        let hours = OpeningHours(opens: time, closes: time)
        return Salon(id: SalonID(high: 0, low: 1), name: "S", location: "L", hours: hours)
    }
}
