import Domain
import Testing

@Suite("Opening hours")
struct OpeningHoursTests {
    private func time(_ hour: Int, _ minute: Int) throws -> TimeOfDay {
        try #require(TimeOfDay(hour: hour, minute: minute))
    }

    @Test("opening hours are written with two digits per number, and around the clock as 24 hours")
    func text() throws {
        for opens in stride(from: 0, to: 1_440, by: 7) {
            for closes in [0, 1, 59, 60, 599, 600, 601, 1_439] where closes != opens {
                let hours = OpeningHours(
                    opens: TimeOfDay(minuteOfDay: opens),
                    closes: TimeOfDay(minuteOfDay: closes)
                )
                #expect(hours.description == "\(hours.opens)-\(hours.closes)")
            }
        }
        let night = OpeningHours(opens: try time(18, 0), closes: try time(2, 5))
        #expect(night.description == "18:00-02:05")
        for same in [try time(0, 0), try time(8, 30)] {
            #expect(OpeningHours(opens: same, closes: same).description == "00:00-24:00")
        }
    }

    @Test("a summary is from the earliest opening to the latest closing, at most a day")
    func summary() throws {
        func hours(_ opens: TimeOfDay, _ closes: TimeOfDay) -> OpeningHours {
            OpeningHours(opens: opens, closes: closes)
        }
        let (eight, twelve) = (try time(8, 0), try time(12, 0))
        let evening = try time(20, 0)
        for (closes, expected) in [
            (try time(22, 0), try time(22, 0)), (try time(2, 0), try time(2, 0)),
            (try time(7, 59), try time(7, 59)), (eight, eight), (try time(8, 1), eight),
        ] {
            let summary = [hours(evening, closes), hours(eight, twelve)].summary
            #expect(summary == hours(eight, expected), "\(closes)")
        }
        #expect([OpeningHours]().summary == nil)
    }

    @Test(
        "the opening hours apply at the UTC offset of the request",
        arguments: [
            (0, "11:24"), (120, "13:24"), (-720, "23:24"), (840, "01:24"),
        ]
    )
    func wallClock(offsetMinutes: Int, expected: String) {
        let instant = Timestamp(secondsSince1970: 1_729_423_499)
        let time = AppointmentTime(instant: instant, offsetMinutes: offsetMinutes)
        #expect(time.timeOfDay.description == expected)
    }

    @Test("the earliest and the latest time do not trap")
    func extremes() {
        for seconds in [Int64.min, .max] {
            let time = AppointmentTime(
                instant: Timestamp(secondsSince1970: seconds),
                offsetMinutes: .max
            )
            #expect((0..<1_440).contains(time.timeOfDay.minutes))
            _ = time.advanced(byMinutes: .max)
            _ = time.instant.seconds(since: Timestamp(secondsSince1970: -1))
        }
    }
}
