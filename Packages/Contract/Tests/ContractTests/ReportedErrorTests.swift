import Contract
import Domain
import JSON
import Testing

@Suite("Errors in a server's response")
struct ReportedErrorTests {
    @Test(
        "the server's words are found in the common forms",
        arguments: [
            (#"{"error":"taken","message":"no chair"}"#, "no chair"),
            (#"{"detail":"no chair"}"#, "no chair"),
            (#"{"detail":[{"loc":["body"],"msg":"no chair"}]}"#, "no chair"),
            (#"{"type":"about:blank","title":"Conflict","detail":"no chair"}"#, "no chair"),
            (#"{"type":"about:blank","title":"No chair"}"#, "No chair"),
            (#"{"error":"invalid_grant","error_description":"no chair"}"#, "no chair"),
            (#"{"errors":[{"message":"no chair"},{"message":"b"}]}"#, "no chair"),
            (#"{"error":{"code":7,"message":"no chair"}}"#, "no chair"),
            (#"{"message":["no chair","b"],"error":"Conflict"}"#, "no chair"),
            (#"{"message":"","detail":null,"title":" ","error":"taken"}"#, "taken"),
            (#""no chair""#, "no chair"), (" no\nchair\n", #"no\nchair"#),
            (#"{"message":"a\u001b[2Jb"}"#, #"a\u{1B}[2Jb"#), (#"[[["no chair"]]]"#, "no chair"),
        ]
    )
    func words(body: String, words: String) {
        #expect(ReportedError(Array(body.utf8), isText: true).words == words)
    }

    @Test(
        "there are no words in other bodies",
        arguments: [
            "", " ", "{}", "[]", "7", #"{"message":7}"#, #"{"other":"a"}"#, #"[[[["a"]]]]"#,
        ]
    )
    func silent(body: String) {
        let error = ReportedError(Array(body.utf8), isText: body == " " || body.isEmpty)
        #expect(error.words == nil && error.name == nil && !error.isInProgress)
    }

    @Test("a body that is neither JSON nor text has no words")
    func binary() {
        let error = ReportedError([0xFF, 0x00], isText: false)
        #expect(error.words == nil && error.name == nil && !error.isInProgress)
    }

    @Test("long words are cut after 300 characters")
    func long() {
        let text = String(repeating: "x", count: 300)
        #expect(ReportedError(Array(text.utf8), isText: true).words == text)
        let longer = ReportedError(Array((text + "y").utf8), isText: true).words
        #expect(longer == text + "... (1 more characters)")
        let deep = #"{"error":{"error":{"error":{"error":"a"}}}}"#
        #expect(ReportedError(Array(deep.utf8), isText: true).words == nil)
    }

    @Test(
        "only certain names and problems about idempotency mean that a request is in progress",
        arguments: [
            (#"{"error":"stillProcessing"}"#, true),
            (#"{"error":"idempotency_key_in_use"}"#, true),
            (#"{"error":{"code":"idempotency_key_in_use","message":"wait"}}"#, true),
            (#"{"type":"https://developer.example.com/idempotency"}"#, true),
            (#"{"title":"A request is outstanding for this Idempotency-Key"}"#, true),
            (#"{"error":"taken"}"#, false), (#"{"message":"idempotency"}"#, false),
            (#"{"type":"about:blank","title":"Conflict"}"#, false), ("{}", false),
        ]
    )
    func inProgress(body: String, isInProgress: Bool) {
        #expect(ReportedError(Array(body.utf8), isText: false).isInProgress == isInProgress)
    }

    @Test(
        "a report with an error member, or one that denies success, contains an error",
        arguments: [
            (#"{"id":"req-7","error":"slotUnavailable"}"#, "slotUnavailable"),
            (#"{"error":{"message":"no chair"}}"#, "no chair"),
            (#"{"errors":[{"message":"no chair"}]}"#, "no chair"),
            (#"{"ok":false,"message":"no chair"}"#, "no chair"),
            (#"{"success":false}"#, "it states no reason"),
            (#"{"error":{}}"#, "it states no reason"),
            (#"{"error":null,"errors":[],"ok":true,"success":true,"message":"hi"}"#, nil),
            (#"{"id":"a"}"#, nil),
        ]
    )
    func report(body: String, error: String?) throws {
        #expect(try ReportedAppointmentCodec.decode(Array(body.utf8)).error == error)
    }
}
