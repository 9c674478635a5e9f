@_spi(JSONRPC) import JSON
import Testing

@testable import JSONRPC

@Suite("The id of a message that cannot be parsed")
struct MessageScanTests {
    private func scan(_ text: String) -> MessageScan {
        Array(text.utf8).withUnsafeBytes { MessageScan($0) }
    }

    private func id(_ text: String) -> String? {
        scan(text).id.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "it is certain if it is a complete member of the message, and the only one",
        arguments: [
            (#"{"id":1,"#, "1"), (#" {"id" : "a" , x"#, #""a""#),
            (#"{"a":1,"id":-1.5e2}"#, "-1.5e2"),
            (#"{"id":null,"#, "null"), (#"{"\u0069d":7,"#, "7"),
            (#"{"id":"\u0041\"\\","#, #""\u0041\"\\""#),
            (#"{"a":{"id":2},"id":1,"#, "1"), (#"{"a":[{"id":2}],"id":1,"#, "1"),
            (#"{"a":"\",\"id\":2,","id":1,"#, "1"), (#"{"a":"}","id":1,"#, "1"),
            (#"{"id":1,"params":{"a":"cut"#, "1"), (#"{"id":1,"params":{"a":tru}}"#, "1"),
            (#"{"id":1,"params":{"a":"\x","b":01}}"#, "1"), (#"{"a":"\ud800","id":1}"#, "1"),
            (#"{"id":1,"a":}"#, "1"), (#"{"id":1,,"method":"x"}"#, "1"), (#"{"id":1}}"#, "1"),
            (#"{"id":99999999999999999999,"#, "99999999999999999999"),
            (#"{"id":1,"a":[[["#, "1"), ("\u{FEFF}{\"id\":1,", "1"),
        ]
    )
    func certain(text: String, expected: String) {
        #expect(id(text) == expected)
    }

    @Test(
        "otherwise there is none",
        arguments: [
            "", "x", "[", #"[{"id":1},"#, #"{"id":1"#, #"{"id":"a""#, #"{"id":"a"x"#, #"{"id":12"#,
            #"{"a":{"id":1},"#, #"{"a":[{"id":1},"#, #"{"a":"\"id\":1,"#, #"{"id":1,"id":2}"#,
            #"{"id":1,"\u0069d":2}"#, #"{"id":1,"id":{}}"#, #"{"id":{},"#, #"{"id":[1],"#,
            #"{"id":true,"#, #"{"id":tru,"#, #"{"id":01,"#, #"{"id":1e400,"#, #"{"id":"\ud800","#,
            #"{"id":"\x","#, #"{"params":{"note":"he said "hi""},"id":1}"#,
            #"{"id":1,"a":"b"c","id":2}"#, #"{"id":1 "id":2}"#, #"{"id":1,x:2,"\u0069d":3}"#,
            #"{"id":1,"a":1}{"id":2}"#, #"{"id":1,"a":1}]"id":3"#, #"{'id':1,"#, #"{id:1,"#,
            #"{"ID":1,"#, #"{"a":1]"id":1,"#, "null", #""id":1,"#, #"{"a""id":1,"#,
        ]
    )
    func uncertain(text: String) {
        #expect(id(text) == nil)
    }

    @Test("depth beyond the limit, and bytes that are not text, do not confuse it")
    func hostile() {
        let deep = String(repeating: "[", count: 100_000)
        #expect(id(#"{"id":1,"a":"# + deep) == "1")
        #expect(id(#"{"a":"# + deep + #","id":1}"#) == nil)
        let bytes = Array(#"{"a":""#.utf8) + [0xFF, 0xC0, 0, 0xED] + Array(#"","id":1}"#.utf8)
        #expect(bytes.withUnsafeBytes { MessageScan($0) }.id == Array("1".utf8))
        let surrogate = Array(#"{"a":""#.utf8) + [0xED, 0xA0] + Array(#"","id":1}"#.utf8)
        #expect(surrogate.withUnsafeBytes { MessageScan($0) }.id == Array("1".utf8))
    }

    @Test("it says whether the message is a request or a response")
    func kinds() {
        #expect(scan(#"{"id":1,"method":"a""#).hasMethod)
        #expect(!scan(#"{"id":1,"a":{"method":1}"#).hasMethod)
        #expect(scan(#"{"id":1,"result":{"#).hasOutcome && scan(#"{"error":1"#).hasOutcome)
        #expect(!scan(#"{"id":1,"a":["result","error"]}"#).hasOutcome)
    }

    @Test("it finds halves of surrogate pairs and numbers out of range, with their paths")
    func defects() throws {
        let text = #"""
            {"a":"\ud83d","b":[1,{"c":"x\uDE00y\ud83d\ude00"}],"d\ud800":12345678901234567890123,
            "e":[-9223372036854775809,18446744073709551615,1e400,-1E999,1e-400,123456789012345678],
            "f":"\\ud800","\u0067":"\ud800\ud800"}
            """#
        let defects = try #require(scan(text).defects)
        let paths = defects.map { JSONPath($0.path).description }
        let fffd = "\u{FFFD}"
        #expect(
            paths == ["a", "b[1].c", "d\(fffd)", "d\(fffd)", "e[0]", "e[2]", "e[3]", "g"]
        )
        let tokens = defects.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) }
        #expect(tokens[0] == #""\ud83d""# && tokens[3] == "12345678901234567890123")
    }

    @Test("more than 1,000 defects are no accident")
    func many() {
        let list = { (count: Int) in
            "[" + Array(repeating: #""\ud800""#, count: count).joined(separator: ",")
        }
        #expect(scan(#"{"a":"# + list(1_000)).defects?.count == 1_000)
        #expect(scan(#"{"a":"# + list(1_001)).defects == nil)
    }

    @Test(
        "each half becomes U+FFFD; pairs and everything else stay",
        arguments: [
            (#""\ud83d""#, "\"\u{FFFD}\""), (#""a\uDE00\ud83db""#, "\"a\u{FFFD}\u{FFFD}b\""),
            (#""\ud83d\ude00\\ud83d\n\u0041""#, #""\ud83d\ude00\\ud83d\n\u0041""#),
            (#""\ud83d\ud83d\ude00""#, "\"\u{FFFD}\\ud83d\\ude00\""), (#""\ud83""#, #""\ud83""#),
            ("\"\u{D7FF}é\"", "\"\u{D7FF}é\""), ("\"", "\""),
        ]
    )
    func replaced(text: String, expected: String) {
        #expect(
            String(decoding: LoneSurrogate.replaced(in: Array(text.utf8)), as: UTF8.self)
                == expected
        )
    }
}
