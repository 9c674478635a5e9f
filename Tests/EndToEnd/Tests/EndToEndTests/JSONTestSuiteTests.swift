import Foundation
import Testing

/// Sends every text of JSONTestSuite as a message on one connection, each followed by a request.
///
/// The suite is read from the directory `NOVABLEND_FIXTURES`. Without that variable, only the few texts
/// in this file are sent.
@Suite("JSON texts on a connection", .throttled, .timeLimit(.minutes(10)))
struct JSONTestSuiteTests {
    private static let own: [(name: String, text: [UInt8])] = [
        ("y_object.json", Array(#"{"a":[1,2.5e3,"\u00e9",null,true]}"#.utf8)),
        ("y_number.json", Array("-0.0".utf8)),
        ("y_space.json", Array(" [ ] ".utf8)),
        ("n_comma.json", Array("[1,]".utf8)),
        ("n_nothing.json", []),
        ("n_control.json", [0x22, 0x01, 0x22]),
        ("n_latin1.json", [0x22, 0xE9, 0x22]),
        ("n_deep.json", Array(repeating: UInt8(ascii: "["), count: 100_000)),
    ]

    @Test("every y_ text is accepted, every n_ text is rejected, and the next request succeeds")
    func required() async throws {
        let session = try HeaderSession()
        for (name, text) in Self.own + (try Self.suite()) where !name.hasPrefix("i_") {
            let isAccepted = try await session.isAccepted(text)
            #expect(isAccepted == name.hasPrefix("y_"), "\(name)")
        }
    }

    @Test("each i_ text has the result that docs/JSON.md lists", .enabled(if: fixtures != nil))
    func implementationDefined() async throws {
        let choices = try Self.choices()
        let session = try HeaderSession()
        let texts = try Self.suite().filter { $0.name.hasPrefix("i_") }
        #expect(Set(texts.map(\.name)) == Set(choices.keys))
        for (name, text) in texts {
            let choice = try await session.isAccepted(text) ? "accepted" : "rejected"
            #expect(choice == choices[name], "\(name)")
        }
    }

    private static func suite() throws -> [(name: String, text: [UInt8])] {
        guard let fixtures else { return [] }
        let folder = URL(filePath: fixtures + "/json-test-suite/test_parsing")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try names.map { ($0, Array(try Data(contentsOf: folder.appending(path: $0)))) }
    }

    /// The names and choices in the table of docs/JSON.md.
    private static func choices() throws -> [String: String] {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../docs/JSON.md").standardized.path
        let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| `i_") }
            .map { $0.split(separator: "|").map { $0.filter { $0 != " " && $0 != "`" } } }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }
}

private let fixtures = ProcessInfo.processInfo.environment["NOVABLEND_FIXTURES"]

/// A connection with Content-Length headers, on which a message can be any bytes.
private final class HeaderSession {
    private let client: Novablend
    private var number = 0

    init() throws { client = try Novablend(["--framing", "headers"]) }

    /// Sends `text` and then a request. Returns whether the text was accepted.
    func isAccepted(_ text: [UInt8]) async throws -> Bool {
        number += 1
        client.child.send("Content-Length: \(text.count)\r\n\r\n")
        client.child.send(text)
        let request = #"{"jsonrpc":"2.0","id":\#(number),"method":"cache/validate"}"#
        client.child.send("Content-Length: \(request.utf8.count)\r\n\r\n" + request)
        let reply = try #require(
            await client.child.framedMessage(),
            "no response to text \(number)"
        )
        let next = try #require(
            await client.child.framedMessage(),
            "no response after text \(number)"
        )
        try #require(next.contains("\"id\":\(number),\"result\""), "\(next)")
        try #require(reply.contains("-32600") || reply.contains("-32700"), "\(reply)")
        return !reply.contains("-32700")
    }
}
