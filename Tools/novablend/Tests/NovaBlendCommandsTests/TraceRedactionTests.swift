import Testing

@testable import NovaBlendCommands

@Suite("The redaction of a trace")
struct TraceRedactionTests {
    private let redaction = TraceRedaction(
        words: ["2.0", "tools/call", "name", "appointments", "novablend:", "booked"]
    )

    private func redacted(_ message: String) -> String {
        String(decoding: redaction.redacted(Array(message.utf8)), as: UTF8.self)
    }

    @Test(
        "hides any text that is not a word of the program, a time, a date, or a UUID",
        arguments: [
            "Ada", "+34 600 111 222", "ada@example.com", "allergic to ammonia", "booked!",
            "BEGIN:VCALENDAR\\r\\nDESCRIPTION:booked", "http://a.example/?key=booked",
            "tools/call/Ada", "[not JSON", "20261224", "2026-13-24", "",
        ]
    )
    func texts(text: String) {
        #expect(redacted(#"{"any":["\#(text)",true]}"#) == #"{"any":["(hidden)",true]}"#)
    }

    @Test(
        "shows the other values, and the id of a message",
        arguments: [
            #"{"jsonrpc":"2.0","id":"call Ada","method":"tools/call"}"#, #"[{"id":34600111222}]"#,
            #"{"a":"2026-12-24T10:00:00+01:00","b":"2026-12-24","c":"2026-12-24T10:00"}"#,
            #"{"a":"5a100000-0000-4000-8000-000000000001","b":[true,null,1.5,-32602,999999]}"#,
            #"{"uri":"novablend://appointments","$ref":"name","io.example/a-b_c":{}}"#,
        ]
    )
    func others(message: String) {
        #expect(redacted(message) == message)
    }

    @Test("hides the id of anything but a message")
    func ids() {
        #expect(redacted(#"{"params":{"id":"Ada"}}"#) == #"{"params":{"id":"(hidden)"}}"#)
        #expect(redacted(#"{"id":{"id":"Ada"}}"#) == #"{"id":{"id":"(hidden)"}}"#)
    }

    @Test("hides numbers with seven digits or more, such as phone numbers")
    func numbers() {
        #expect(redacted("[1000000,-1000000,1e300,34600111222]") == "[0,0,0,0]")
    }

    @Test("hides keys that are not names", arguments: ["+34600", "34600", "a@b", "Ada L", "", "é"])
    func keys(key: String) {
        #expect(redacted(#"{"\#(key)":1}"#) == #"{"(hidden)":1}"#)
    }

    @Test(
        "hides personal members whatever their value, and whatever the capitalization of the key",
        arguments: ["phone", "Phone", "EMAIL", "notes"]
    )
    func personal(key: String) {
        let message = #"{"\#(key)":["2026-12-24",7,"booked"]}"#
        #expect(redacted(message) == #"{"\#(key)":["(hidden)",0,"(hidden)"]}"#)
        let schema = #"{"\#(key)":{"name":"booked"}}"#
        #expect(redacted(schema) == schema)
    }

    @Test(
        "redacts JSON in a text: after white space, in an array, encoded twice",
        arguments: [
            #"{"text":"{\"any\":\"s3cret\",\"a\":1}"}"#,
            #"{"text":" \n\t{\"any\":\"s3cret\",\"a\":1}"}"#,
            #"{"text":"[{\"Phone\":\"s3cret\",\"a\":1}]"}"#,
            #"{"text":"{\"text\":\"[{\\\"any\\\":\\\"s3cret\\\",\\\"a\\\":1}]\"}"}"#,
        ]
    )
    func text(message: String) {
        let trace = redacted(message)
        #expect(!trace.contains("s3cret") && trace.contains("(hidden)"), "\(trace)")
        #expect(trace.contains(#"a\"#), "\(trace)")
    }

    @Test("completely hides a message that is not JSON")
    func broken() {
        #expect(redacted("phone s3cret") == #""12 bytes that are not JSON""#)
    }
}
