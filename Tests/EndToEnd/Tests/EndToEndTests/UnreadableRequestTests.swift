import JSON
import Testing

/// Requests that are not valid JSON, as programs send them that cut texts or round no numbers.
@Suite("Requests that are not valid JSON", .throttled, .timeLimit(.minutes(10)))
struct UnreadableRequestTests {
    private static let big = "123456789012345678901234567890"

    /// Sends a request in one of the framings, and returns the response.
    private func reply(_ message: String, _ framing: String, _ client: Novablend) async -> String {
        guard framing == "headers" else {
            client.child.send(message + "\n")
            return await client.child.line() ?? ""
        }
        client.child.send("Content-Length: \(message.utf8.count)\r\n\r\n\(message)")
        return await client.child.framedMessage() ?? ""
    }

    private func call(_ method: String, _ params: String) -> String {
        #"{"jsonrpc":"2.0","method":"\#(method)","params":\#(params),"id":"x"}"#
    }

    private func tool(_ name: String, _ arguments: String) -> String {
        call("tools/call", #"{"name":"\#(name)","arguments":\#(arguments)}"#)
    }

    @Test(
        "notes that were cut in a character are booked with U+FFFD",
        arguments: ["lines", "headers"]
    )
    func notes(framing: String) async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url, "--framing", framing])
        for (hour, isTool) in [(12, false), (13, true)] {
            let booking = Sample.booking(hour: hour, extra: #","notes":"soft \ud83d""#)
            let message =
                isTool ? tool("appointments_book", booking) : call("appointments/book", booking)
            let reply = await reply(message, framing, client)
            #expect(reply.contains(#""id":"x","result""#), "\(reply)")
            #expect(reply.contains("soft \u{FFFD}"), "\(reply)")
        }
        #expect(try await backend.appointments().count == 2)
    }

    @Test(
        "any other half of a character is -32602 with the path and the id, and nothing is booked",
        arguments: ["lines", "headers"]
    )
    func surrogates(framing: String) async throws {
        let backend = try await BackendProcess()
        let client = try Novablend(["--base-url", backend.url, "--framing", framing])
        let booking = Sample.booking(phone: #"+49 30 1234567\ud83d"#)
        for (message, path) in [
            (call("appointments/book", booking), "params.phone"),
            (tool("appointments_book", booking), "params.arguments.phone"),
        ] {
            let reply = await reply(message, framing, client)
            #expect(reply.contains(#""id":"x","error":{"code":-32602,"#), "\(reply)")
            #expect(reply.contains(#""path":"\#(path)""#), "\(reply)")
        }
        #expect(try await backend.appointments().isEmpty)
    }

    @Test("a number over 64 bits matters only where it is read", arguments: ["lines", "headers"])
    func numbers(framing: String) async throws {
        let client = try Novablend(["--framing", framing])
        let handshake = #"{"protocolVersion":"2025-11-25","capabilities":{"experimental":{"x":"#
        let ignored = [
            call(
                "initialize",
                handshake + #"\#(Self.big)}},"clientInfo":{"name":"t","x":\#(Self.big)}}"#
            ),
            call("ping", #"{"_meta":{"trace":\#(Self.big)}}"#),
            call("cache/status", #"{"_meta":{"trace":[1e999]}}"#),
            call("tools/call", #"{"name":"cache_status","_meta":{"x":\#(Self.big)}}"#),
        ]
        for message in ignored {
            let reply = await reply(message, framing, client)
            #expect(reply.contains(#""id":"x","result""#), "\(reply)")
        }
        for (message, path) in [
            (call("salons/list", #"{"limit":\#(Self.big)}"#), "params.limit"),
            (tool("salons_list", #"{"limit":-\#(Self.big)}"#), "params.arguments.limit"),
            (call("salons/put", #"{"salon":{"seats":\#(Self.big)}}"#), "params.salon.seats"),
        ] {
            let reply = await reply(message, framing, client)
            #expect(reply.contains(#""id":"x","error":{"code":-32602,"#), "\(reply)")
            #expect(reply.contains(#""path":"\#(path)""#), "\(reply)")
        }
    }

    @Test("a message over the limit is answered with its id", arguments: ["lines", "headers"])
    func oversized(framing: String) async throws {
        let client = try Novablend(["--framing", framing, "--max-message", "1000"])
        let long = #"{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":""#
        let message = long + String(repeating: "x", count: 2_000) + #""}}"#
        #expect(await reply(message, framing, client).contains(#""id":7,"error":{"code":-32700,"#))
        #expect(await reply(call("ping", "{}"), framing, client).contains(#""id":"x","result""#))
    }
}
