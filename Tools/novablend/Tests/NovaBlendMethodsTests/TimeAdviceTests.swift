import JSON
import JSONRPC
import Testing

@testable import NovaBlendMethods

@Suite("The advice about times for a language model")
struct TimeAdviceTests {
    @Test(
        "has noon of the next day as an example, because no time of the present day is surely in the future",
        arguments: [
            ("2026-03-31T00:00:00Z", "Tuesday", "2026-04-01"),
            ("2026-03-31T23:59:59Z", "Tuesday", "2026-04-01"),
            ("2028-02-28T12:00:00Z", "Monday", "2028-02-29"),
            ("2026-12-31T12:00:00Z", "Thursday", "2027-01-01"),
        ]
    )
    func example(now: String, weekday: String, tomorrow: String) throws {
        var error = RPCError.invalidParams(#""start" must be a time"#, parameter: "start")
        error.data = error.data?.addingMember("now", now)
        let explained = TimeAdvice.explained(error)
        #expect(
            explained.message
                == #"Invalid params: "start" must be a time. It is \#(weekday), \#(now);"#
                + " write times like \(tomorrow)T12:00Z, or without Z if the salon has a time zone."
                + " salons/availability lists the free times"
        )
        let data = try #require(explained.data)
        #expect(try JSONDocument(parsing: data.bytes).root.object()["reason"] == nil)
    }
}
