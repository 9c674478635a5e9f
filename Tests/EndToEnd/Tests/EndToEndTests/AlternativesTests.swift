import Foundation
import JSON
import Testing

@Suite("Alternatives to a time that cannot be booked", .throttled, .timeLimit(.minutes(10)))
struct AlternativesTests {
    @Test("a closed time and a time off the grid offer the next three free times")
    func nextFree() async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url])
        let day = Date(timeIntervalSinceNow: 3 * 86_400).formatted(.iso8601.year().month().day())
        func booking(_ time: String) -> String {
            #"{"salonId":"Atelier Nova","appointmentTime":"\#(day)T\#(time)","phone":"12345"}"#
        }
        _ = try await client.result("appointments/book", booking("11:30"))
        let expected = [
            "09:00": ["10:30", "12:30", "13:30"], "11:10": ["12:30", "13:30", "14:30"],
        ]
        for (time, free) in expected {
            let failure = try await client.failure("appointments/book", booking(time))
            let times = try #require(failure.data).required("alternatives").array()
                .map { time throws(JSONError) in String(try time.string().dropFirst(11).prefix(5)) }
            #expect(times == free, "\(time)")
        }
    }
}
