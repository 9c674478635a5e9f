import Foundation
import JSON
import Testing

/// Payloads and messages in encodings other than UTF-8 without a byte order mark.
@Suite("Encodings", .throttled, .timeLimit(.minutes(10)))
struct PayloadEncodingTests {
    private static let list =
        #"{"salons":[{"id":"\#(Sample.salon)","name":"Ä","location":"l","#
        + #""open_time":9,"close_time":18}]}"#

    private func client(receiving body: [UInt8]) throws -> (Novablend, ScriptedServer) {
        let server = try ScriptedServer { connection in
            let head =
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: \(body.count)\r\n\r\n"
            connection.send(Array(head.utf8) + body)
            return .hangUp
        }
        return (try Novablend(["--base-url", server.url]), server)
    }

    @Test("a payload with a byte order mark is read and cached")
    func byteOrderMark() async throws {
        let (client, server) = try client(receiving: [0xEF, 0xBB, 0xBF] + Array(Self.list.utf8))
        defer { withExtendedLifetime(server) {} }
        let list = try await client.result("salons/list")
        #expect(try list.source() == "server" && list.text.contains("Ä"))
        let cached = try await client.result("salons/list", #"{"policy":"cacheOnly"}"#)
        #expect(try cached.count("salons") == 1)
    }

    @Test("a payload in UTF-16 or UTF-32 is invalid data, and the error names the encoding")
    func wideEncodings() async throws {
        let encodings: [(String.Encoding, String)] = [
            (.utf16, "UTF-16"), (.utf16LittleEndian, "UTF-16"), (.utf16BigEndian, "UTF-16"),
            (.utf32, "UTF-32"), (.utf32LittleEndian, "UTF-32"),
        ]
        for (encoding, name) in encodings {
            let body = Array(try #require(Self.list.data(using: encoding)))
            let (client, server) = try client(receiving: body)
            defer { withExtendedLifetime(server) {} }
            let failure = try await client.failure("salons/list")
            #expect(failure.code == 1_002)
            #expect(
                failure.message.contains("the text is \(name); JSON must be plain UTF-8"),
                "\(failure.message)"
            )
        }
    }

    @Test("a byte order mark before the first message is skipped; later it is an error")
    func messageWithMark() async throws {
        let client = try Novablend([])
        client.child.send([0xEF, 0xBB, 0xBF])
        _ = try await client.result("ping")
        client.child.send([0xEF, 0xBB, 0xBF])
        client.send(7, "ping", "{}")
        let response = await client.child.line() ?? ""
        #expect(response.contains("-32700") && response.contains("byte order mark"))
        #expect(response.contains(#""id":7"#))
        _ = try await client.result("ping")
    }
}
