import Contract
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
        let reason = #""start" must be \#(TimeText.forms)"#
        var error = RPCError.invalidParams(reason, parameter: "start")
        error.data = error.data?.addingMember("now", now)
        let explained = TimeAdvice.explained(error)
        #expect(
            explained.message
                == "Invalid params: \(reason). It is \(weekday), \(now); for example \(tomorrow)T12:00Z. salons/availability lists the free times"
        )
        let data = try #require(explained.data)
        #expect(try JSONDocument(parsing: data.bytes).root.object()["reason"] == nil)
    }

    @Test(
        "does not repeat the form of a time if the form is right",
        arguments: [
            ("2026-11-31T10:00", "a date that exists; 2026-11 has 30 days"),
            ("2026-11-30T25:00", "a time with an hour from 00 to 23"),
        ]
    )
    func rightForm(text: String, expected: String) throws {
        let json = try JSONDocument(parsing: Array(#"{"start": "\#(text)"}"#.utf8)).root
        let method = Method("m", "", parameters: [.init("start", "")], result: .init("r", "")) {
            _ throws(RPCError) in .null
        }
        let error = #expect(throws: RPCError.self) {
            try Params(json, for: method).read("start", RequestedTimeCodec.read)
        }
        var completed = try #require(error)
        completed.data = completed.data?.addingMember("now", "2026-11-28T12:00:00Z")
        #expect(
            TimeAdvice.explained(completed).message
                == "Invalid params: \"start\" must be \(expected). It is Saturday, 2026-11-28T12:00:00Z"
        )
    }
}
