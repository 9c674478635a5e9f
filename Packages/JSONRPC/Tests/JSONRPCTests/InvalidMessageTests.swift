import JSON
import JSONRPC
import JSONRPCTestSupport
import SystemTestSupport
import Testing

/// Every request that the server can recognize gets an answer with its id.
@Suite("Messages that are not valid JSON", .timeLimit(.minutes(10)))
struct InvalidMessageTests {
    private static let big = "123456789012345678901234567890"

    private static var freeText: Method.Parameter {
        var text = Method.Parameter("text", "a text for people", schema: .string)
        text.isFreeText = true
        return text
    }

    /// Methods that return their params as they arrived.
    private static var table: MethodTable {
        let result = Method.Result("result", "anything")
        let echo: Method.Handler = { call in
            call.rawParams.map { value in JSONFragment { $0.value(value) } } ?? .null
        }
        let text = freeText
        let value = Method.Parameter("value", "anything", schema: .any)
        let closed = Method(
            "closed",
            "echoes",
            parameters: [text, value],
            result: result,
            handler: echo
        )
        var open = Method("open", "echoes", parameters: [value], result: result, handler: echo)
        open.acceptsUnknownParameters = true
        var nested = Method("nested", "echoes", result: result, handler: echo)
        nested.acceptsUnknownParameters = true
        nested.nestedParameter = { params, parameter, member in
            let isKnown = (try? params?.object())?["known"] != nil && parameter == "arguments"
            return isKnown && member == "text" ? text : isKnown && member == "value" ? value : nil
        }
        let noted = Method(notification: "noted", "does nothing") { _ in }
        let metadata = ProtocolExtension(
            cancellations: [.languageServer],
            reservedParameters: ["_meta", "token"],
            metadata: ["_meta"]
        )
        return MethodTable([closed, open, nested, noted], extensions: [metadata])
    }

    private func replies(
        _ messages: [[UInt8]],
        _ framing: FramingMode = .lines,
        limits: RPCLimits = RPCLimits()
    ) async throws -> [String] {
        let connection = try RawConnection(table: Self.table, framing: framing, limits: limits)
        async let sent: Void = onThread {
            for message in messages {
                switch framing {
                case .headers: connection.send("Content-Length: \(message.count)\r\n\r\n")
                case .lines, .auto: break
                }
                connection.send(framing == .headers ? message : message + [UInt8(ascii: "\n")])
            }
            connection.endInput()
        }
        let output = await connection.rest()
        await sent
        if framing != .headers { return output.split(separator: "\n").map(String.init) }
        return output.split(separator: "\r\n\r\n").dropFirst().map {
            String($0.prefix { $0 != "C" || $0 == "}" })
        }
    }

    private func reply(_ text: String) async throws -> String? {
        let all = try await replies([Array(text.utf8)])
        #expect(all.count < 2, "\(all)")
        return all.first
    }

    private func request(_ method: String, _ params: String, id: String = "7") -> String {
        #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params),"id":\#(id)}"#
    }

    private func expectError(_ code: Int, _ id: String, _ texts: String..., in reply: String?) {
        let reply = reply ?? "no reply"
        #expect(
            reply.hasPrefix(#"{"jsonrpc":"2.0","id":\#(id),"error":{"code":\#(code),"#),
            "\(reply)"
        )
        for text in texts { #expect(reply.contains(text), "\(reply)") }
    }

    @Test(
        "half of a surrogate pair in a text for people and in metadata becomes U+FFFD",
        arguments: [
            ("closed", #"{"text":"a\ud83d"}"#, "{\"text\":\"a\u{FFFD}\"}"),
            ("closed", #"["\ude00b"]"#, "[\"\u{FFFD}b\"]"),
            (
                "closed", #"{"_meta":{"x":["\ud83d"],"\ud800":1}}"#,
                "{\"_meta\":{\"x\":[\"\u{FFFD}\"],\"\u{FFFD}\":1}}"
            ),
            (
                "nested", #"{"known":1,"arguments":{"text":"\ud83d"}}"#,
                "{\"known\":1,\"arguments\":{\"text\":\"\u{FFFD}\"}}"
            ),
        ]
    )
    func repaired(method: String, params: String, result: String) async throws {
        let expected = #"{"jsonrpc":"2.0","id":7,"result":"# + result + "}"
        #expect(try await reply(request(method, params)) == expected)
    }

    @Test(
        "anywhere else it is -32602 with the path and the id",
        arguments: [
            ("closed", #"{"value":"\ud83d"}"#, "params.value"),
            ("closed", #"{"text":["\ud83d"],"value":{"a":["\ud83d"]}}"#, "params.value.a[0]"),
            ("closed", #"{"note\ud83d":"a"}"#, "a name"), ("closed", #"[1,"\ud83d"]"#, "params[1]"),
            ("closed", #"["a",2,"\ud83d"]"#, "params[2]"), ("open", #"{"x":"\ud83d"}"#, "params.x"),
            ("nested", #"{"known":1,"arguments":{"value":"\ud83d"}}"#, "params.arguments.value"),
            ("nested", #"{"known":1,"arguments":{"other":"\ud83d"}}"#, "params.arguments.other"),
            ("nested", #"{"arguments":{"text":"\ud83d"}}"#, "params.arguments.text"),
            ("unknown", #"{"x":"\ud83d"}"#, "params.x"),
        ]
    )
    func surrogates(method: String, params: String, path: String) async throws {
        let found = try await reply(request(method, params))
        expectError(-32_602, "7", path, "surrogate pair", #""path":"params"#, in: found)
        let other = #"{"jsonrpc":"2.0","id":"a","method":"open","trace":"\ud83d"}"#
        expectError(-32_602, #""a""#, "trace", in: try await reply(other))
    }

    @Test(
        "a number that is too large is accepted where it is ignored",
        arguments: [
            ("closed", #"{"_meta":{"x":[\#(big)]}}"#), ("closed", #"{"_meta":\#(big)}"#),
            ("open", #"{"x":\#(big),"y":{"z":[1e999]}}"#),
            ("nested", #"{"known":1,"arguments":{"other":\#(big)}}"#),
        ]
    )
    func ignored(method: String, params: String) async throws {
        let found = try await reply(request(method, params))
        #expect(found?.contains(#""id":7,"result":"#) == true, "\(found ?? "")")
        let outside = #"{"jsonrpc":"2.0","id":7,"method":"open","trace":{"n":-\#(Self.big)}}"#
        #expect(try await reply(outside) == #"{"jsonrpc":"2.0","id":7,"result":null}"#)
    }

    @Test(
        "elsewhere it is -32602 with the path and the id",
        arguments: [
            ("closed", #"{"value":\#(big)}"#, "params.value"),
            ("closed", "[1,-\(big)]", "params[1]"),
            ("closed", #"{"value":{"a":[1e999]}}"#, "params.value.a[0]"),
            ("closed", #"{"other":\#(big)}"#, "other"),
            ("open", #"{"value":\#(big)}"#, "params.value"),
            ("nested", #"{"known":1,"arguments":{"value":\#(big)}}"#, "params.arguments.value"),
            ("closed", #"{"token":\#(big)}"#, "params.token"),
            ("closed", #"{"_meta":{"token":\#(big)}}"#, "params._meta.token"),
        ]
    )
    func numbers(method: String, params: String, path: String) async throws {
        expectError(-32_602, "7", path, in: try await reply(request(method, params)))
    }

    @Test("an id that is too large is repeated; one that no parser accepts is not")
    func ids() async throws {
        expectError(
            -32_602,
            Self.big,
            #""path":"id""#,
            in: try await reply(request("open", "{}", id: Self.big))
        )
        expectError(-32_602, "null", in: try await reply(request("open", "{}", id: #""\ud83d""#)))
        expectError(-32_602, "null", in: try await reply(request("open", "{}", id: "1e999")))
    }

    @Test(
        "any other message that cannot be parsed is -32700 with the id",
        arguments: [
            #"{"jsonrpc":"2.0","id":7,"method":"open","params":{"a":"cut"#,
            #"{"jsonrpc":"2.0","id":7,"method":"open","params":{"a":'x'}}"#,
            #"{"jsonrpc":"2.0","id":7,"method":"open",}"#,
            #"{"jsonrpc":"2.0","params":{"a":NaN,"b":01,"c":"\x"},"id":7}"#,
            "{\"jsonrpc\":\"2.0\",\"params\":\"a\tb\u{0}\",\"id\":7}",
            #"{"jsonrpc":"2.0","id":7,"method":"open","params":{"#,
            #"{"id":7,"a":"\ud83d"}"#, #"{"id":7,"a":\#(big)}"#,
            #"{"id":7,"params":"# + String(repeating: "[", count: 200),
            #"{"id":7,"params":"# + String(repeating: "[", count: 200)
                + String(repeating: "]", count: 200) + "}",
        ]
    )
    func parseErrors(text: String) async throws {
        expectError(-32_700, "7", in: try await reply(text))
    }

    @Test(
        "bytes that are not UTF-8 do not hide the id, in either framing",
        arguments: [FramingMode.lines, .headers]
    )
    func bytes(framing: FramingMode) async throws {
        let text = Array(#"{"jsonrpc":"2.0","params":{"a":""#.utf8) + [0xFF]
        let found = try await replies(
            [text + Array(#""},"id":"x","method":"open"}"#.utf8)],
            framing
        )
        expectError(-32_700, #""x""#, in: found.first)
        let half = text.dropLast() + [0xED, 0xA0, 0xBD]
        let other = try await replies(
            [half + Array(#""},"id":"x","method":"open"}"#.utf8)],
            framing
        )
        expectError(-32_602, #""x""#, "params.a", in: other.first)
    }

    @Test("a batch that cannot be parsed has a null id")
    func batch() async throws {
        let element = request("open", #"{"a":"\ud83d"}"#)
        expectError(-32_700, "null", in: try await reply("[\(element)]"))
        expectError(-32_700, "null", in: try await reply("[\(request("open", "{}")),"))
    }

    @Test("a duplicate key is -32600 with the id, unless it is the key of the id")
    func duplicates() async throws {
        let twice = #"{"jsonrpc":"2.0","id":7,"method":"open","method":"closed"}"#
        expectError(-32_600, "7", in: try await reply(twice))
        let ids = #"{"jsonrpc":"2.0","id":7,"method":"open","id":7}"#
        expectError(-32_600, "null", in: try await reply(ids))
    }

    @Test("a notification gets no reply, and a cancellation with half a character counts")
    func notifications() async throws {
        #expect(
            try await reply(#"{"jsonrpc":"2.0","method":"noted","params":{"a":"\ud83d"}}"#) == nil
        )
        let server = try TestServer(framing: .lines)
        server.connection.send(#"{"jsonrpc":"2.0","id":1,"method":"wait"}"# + "\n")
        let cancel =
            #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"reason":"\ud83d","id":1}}"#
        server.connection.send(cancel + "\n")
        expectError(-32_800, "1", in: await server.connection.line())
        server.connection.endInput()
    }

    @Test(
        "a message over the limit is answered with the id in its first 64 KiB",
        arguments: [FramingMode.lines, .headers]
    )
    func oversized(framing: FramingMode) async throws {
        var limits = RPCLimits()
        limits.maximumMessageBytes = 100_000
        let fill = String(repeating: "x", count: 200_000)
        let early = #"{"jsonrpc":"2.0","id":"a","method":"open","params":"\#(fill)"}"#
        let late = #"{"jsonrpc":"2.0","method":"open","params":"\#(fill)","id":"b"}"#
        let batch = #"[{"jsonrpc":"2.0","id":"c","method":"open","params":"\#(fill)"}]"#
        let last = #"{"jsonrpc":"2.0","id":9,"method":"open"}"#
        let found = try await replies(
            [early, late, batch, last].map { Array($0.utf8) },
            framing,
            limits: limits
        )
        try #require(found.count == 4, "\(found)")
        expectError(-32_700, #""a""#, "at most 100000 bytes", in: found[0])
        expectError(-32_700, "null", in: found[1])
        expectError(-32_700, "null", in: found[2])
        #expect(found[3] == #"{"jsonrpc":"2.0","id":9,"result":null}"#)
    }

    @Test("the end of the input in the middle of a message is answered with the id")
    func truncated() async throws {
        for (framing, head) in [(FramingMode.lines, ""), (.headers, "Content-Length: 500\r\n\r\n")]
        {
            let connection = try RawConnection(table: Self.table, framing: framing)
            connection.send(head + #"{"jsonrpc":"2.0","id":7,"method":"open","params":{"a":"#)
            connection.endInput()
            let output = await connection.rest()
            #expect(output.contains(#""id":7,"error":{"code":-32700,"#), "\(output)")
            #expect(await connection.terminationReason() == .truncatedInput)
        }
    }

    @Test(
        "a call fails if its response cannot be parsed, and a defect in an ignored member does no harm",
        arguments: [
            (#""result":"\ud83d""#, false), (#""result":\#(big)"#, false),
            (#""result":{"a":"#, false),
            (#""error":{"code":1,"message":"\ud83d"}"#, false),
            (#""other":"# + big + #","result":1"#, true),
        ]
    )
    func responses(members: String, succeeds: Bool) async throws {
        let peer = try RawConnection { Connection(over: $0, framing: .lines) }
        let call = Task { try await peer.connection.peer.call("method") }
        let sent = try #require(await peer.line())
        let id = try JSONDocument(parsing: Array(sent.utf8)).root.object().required("id").integer()
        peer.send(#"{"jsonrpc":"2.0","id":\#(id),\#(members)}"# + "\n")
        let result = await call.result
        switch result {
        case .success: #expect(succeeds)
        case .failure(let error):
            #expect(!succeeds && (error as? RPCError)?.code == -32_700, "\(error)")
        }
        peer.endInput()
    }
}
