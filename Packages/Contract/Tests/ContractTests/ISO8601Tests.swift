import Contract
import Domain
import Testing

@Suite("ISO 8601 times")
struct ISO8601Tests {
    @Test("the three notations of UTC mean the same instant", arguments: ["+0000", "+00:00", "Z"])
    func utc(offset: String) throws {
        let time = try #require(ISO8601.parse("2024-10-20T11:24:59" + offset))
        #expect(time.instant.secondsSince1970 == 1_729_423_499)
        #expect(ISO8601.format(time) == "2024-10-20T11:24:59+0000")
    }

    @Test("an offset is preserved, since it determines the wall clock time")
    func offset() throws {
        let time = try #require(ISO8601.parse("2024-10-20T13:24:59+02:00"))
        #expect(time.instant.secondsSince1970 == 1_729_423_499)
        #expect(time.timeOfDay.description == "13:24")
        #expect(ISO8601.format(time) == "2024-10-20T13:24:59+0200")
        let west = try #require(ISO8601.parse("2024-10-20T00:30:00-0330"))
        #expect(ISO8601.format(west) == "2024-10-20T00:30:00-0330")
    }

    @Test("a zero fraction is accepted, because JavaScript writes one; another is rejected")
    func fraction() {
        #expect(ISO8601.parse("2024-10-20T11:24:59.000Z") != nil)
        #expect(ISO8601.parse("2024-10-20T11:24:59.5Z") == nil)
    }

    @Test(
        "an invalid time is rejected",
        arguments: [
            "", "tomorrow", "2024-10-20", "2024-10-20T11:24:59", "2024-02-30T11:24:59Z",
            "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-00-01T00:00:00Z",
            "2024-10-20T24:00:00Z", "2024-10-20T11:60:00Z", "2024-10-20T11:24:60Z",
            "2024-10-20T11:24:59+2400", "2024-10-20T11:24:59+00:0", "2024-10-20T11:24:59Zz",
            "0000-01-01T00:00:00Z", "2024-10-20T11:24:59.Z", "٢٠٢٤-10-20T11:24:59Z",
        ]
    )
    func invalid(text: String) { #expect(ISO8601.parse(text) == nil) }

    private func requested(_ text: String) -> RequestedTime? {
        var text = text
        return text.withUTF8 { ISO8601.parseRequested($0) }
    }

    @Test("a requested time is a wall clock time, an instant if it has Z, or a local time")
    func requestedTimes() throws {
        let time = try #require(ISO8601.parse("2024-10-20T13:24:59+02:00"))
        #expect(requested("2024-10-20T13:24:59+02:00") == .wallClock(time))
        #expect(requested("2024-10-20T11:24:59Z") == .instant(time.instant))
        #expect(requested("2024-10-20T13:24:59") == .local(time.localTime))
        let minute = AppointmentTime(
            instant: Timestamp(secondsSince1970: 1_729_423_440),
            offsetMinutes: 120
        )
        #expect(requested("2024-10-20T13:24") == .local(minute.localTime))
        #expect(requested("2024-10-20T11:24Z") == .instant(minute.instant))
        #expect(requested("2024-10-20T13:24+0200") == .wallClock(minute))
        #expect(ISO8601.formatUTC(time.instant) == "2024-10-20T11:24:59Z")
    }

    @Test(
        "an invalid requested time is rejected",
        arguments: [
            "", "2024-10-20", "2024-10-20T13", "2024-10-20T13:", "2024-10-20T13:2",
            "2024-10-20T13:24:",
            "2024-10-20T13:24.0", "2024-02-30T13:24:00", "2024-10-20T13:24:59 ",
        ]
    )
    func invalidRequestedTime(text: String) { #expect(requested(text) == nil) }

    @Test("every date from 1600 to 2400 is one day after the date before it")
    func calendar() throws {
        var expected: Int64 = -11_676_096_000
        for year in 1600...2400 {
            for month in 1...12 {
                for day in 1...31 {
                    let text = "\(year)-\(pad(month))-\(pad(day))T00:00:00+0000"
                    guard let time = ISO8601.parse(text) else { continue }
                    #expect(time.instant.secondsSince1970 == expected)
                    #expect(ISO8601.format(time) == text)
                    expected += 86_400
                }
            }
        }
        #expect(expected == 13_601_088_000)
    }

    @Test("every offset and every minute of a day is written as it was read", arguments: [-1, 1])
    func everyOffset(sign: Int) throws {
        for minutes in 0..<1_440 {
            let offset =
                (sign < 0 && minutes > 0 ? "-" : "+") + pad(minutes / 60) + pad(minutes % 60)
            let separated = "\(offset.prefix(3)):\(offset.suffix(2))"
            #expect(ISO8601.formatOffset(minutes: sign * minutes) == separated)
            let clock = "\(pad(minutes / 60)):\(pad(minutes % 60)):\(pad(minutes % 60))"
            for day in ["0001-01-02", "0987-10-09", "9999-12-30"] {
                let text = "\(day)T\(clock)\(offset)"
                let time = try #require(ISO8601.parse(text))
                #expect(ISO8601.format(time) == text)
                #expect(ISO8601.formatRFC3339(time) == "\(day)T\(clock)\(separated)")
                let inUTC = try #require(ISO8601.parse(ISO8601.formatUTC(time.instant)))
                #expect(inUTC.instant == time.instant)
            }
        }
    }

    @Test("an offset of 100 hours or more is clamped to four digits", arguments: [6_000, .max])
    func longOffset(minutes: Int) {
        #expect(ISO8601.formatOffset(minutes: minutes) == "+99:59")
        #expect(ISO8601.formatOffset(minutes: -minutes) == "-99:59")
        #expect(ISO8601.formatOffset(minutes: .min) == "-99:59")
    }

    @Test("a time outside the years 0001 to 9999 is clamped")
    func extremes() {
        for seconds in [Int64.min, .max] {
            let time = AppointmentTime(instant: Timestamp(secondsSince1970: seconds))
            #expect(ISO8601.parse(ISO8601.format(time)) != nil)
        }
        let last = AppointmentTime(instant: Timestamp(secondsSince1970: .max))
        #expect(ISO8601.format(last) == "9999-12-31T23:59:59+0000")
        let first = AppointmentTime(instant: Timestamp(secondsSince1970: .min))
        #expect(ISO8601.format(first) == "0001-01-01T00:00:00+0000")
    }

    private func pad(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }
}
