import Contract
import Domain
import JSON
import Testing

@Suite("The JSON of the start or the end of a range")
struct RangeBoundCodecTests {
    private func start(_ json: String) throws -> RangeBound {
        try RangeBoundCodec.readStart(JSONDocument(parsing: Array(json.utf8)).root)
    }

    private func end(_ json: String) throws -> RangeBound {
        try RangeBoundCodec.readEnd(JSONDocument(parsing: Array(json.utf8)).root)
    }

    private func day(_ bound: RangeBound) -> String? {
        if case .day(let date) = bound { date.description } else { nil }
    }

    @Test(
        "is a date, which as the end means the next day",
        arguments: [
            ("2026-11-24", "2026-11-25"), ("2026-02-28", "2026-03-01"),
            ("2028-02-28", "2028-02-29"), ("2028-02-29", "2028-03-01"),
            ("2026-12-31", "2027-01-01"), ("0001-01-01", "0001-01-02"),
            ("9999-12-30", "9999-12-31"),
        ]
    )
    func dates(date: String, next: String) throws {
        #expect(day(try start("\"\(date)\"")) == date)
        #expect(day(try end("\"\(date)\"")) == next)
    }

    @Test("is clamped to the last date, because years have four digits")
    func lastDate() throws {
        #expect(day(try end(#""9999-12-31""#)) == "9999-12-31")
    }

    @Test(
        "is a time, which means the same as the start and as the end",
        arguments: [
            "2026-11-24T00:00", "2026-11-24T09:30:00", "2026-11-24T09:30Z",
            "2026-11-24T09:30+01:00",
        ]
    )
    func times(time: String) throws {
        let requested = try RequestedTimeCodec.read(
            JSONDocument(parsing: Array("\"\(time)\"".utf8)).root
        )
        #expect(try start("\"\(time)\"") == .time(requested))
        #expect(try end("\"\(time)\"") == .time(requested))
    }

    @Test("is a day that depends on the present one, and the end includes that day")
    func relativeDays() throws {
        #expect(try start(#""today""#) == .relativeDay(.today, daysLater: 0))
        #expect(try end(#""Fri""#) == .relativeDay(.weekday(.friday), daysLater: 1))
    }

    @Test(
        "is rejected if the text is neither a date nor a time that exists",
        arguments: [
            #""2026-02-29""#, #""2100-02-29""#, #""2026-13-01""#, #""2026-00-10""#,
            #""2026-11-00""#, #""2026-11-31""#, #""0000-12-31""#, #""10000-01-01""#,
            #""2026-11""#, #""20261124""#, #""2026-11-24T""#,
            #""2026-11-24T24:00""#, #""2026-02-29T09:30Z""#, #""todayy""#, #""""#, "null",
            "20261124",
        ]
    )
    func invalid(json: String) {
        for read in [start, end] { #expect(throws: JSONError.self) { try read(json) } }
    }

    @Test(
        "is rejected with the forms only if its form is unknown",
        arguments: [
            ("soon", "a date, or a date and a time, in the form YYYY-MM-DDThh:mm"),
            ("2027-02-30", "a date that exists; 2027-02 has 28 days"),
        ]
    )
    func expectations(text: String, expected: String) {
        for read in [start, end] {
            let error = #expect(throws: JSONError.self) { try read("\"\(text)\"") }
            #expect(error?.description.contains("must be \(expected)") == true)
        }
    }
}
