import Foundation
import JSONRPC
import JSONRPCTestSupport
import Testing

@testable import MCP

/// The table of the server's features in the documentation.
@Suite("The table of each revision's features", .timeLimit(.minutes(10)))
struct RevisionTableTests {
    /// The methods of a row, and whether a revision has them.
    private struct Row {
        let methods: [Substring]
        let cells: [Revision: Substring]
    }

    private let rows: [Row]

    init() throws {
        let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let article = package.appending(path: "Sources/MCP/MCP.docc/Revisions.md").standardized
        let text = try String(contentsOf: article, encoding: .utf8)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("|") }
        let table = lines.map { $0.split(separator: "|").map { $0.trimmingPrefix(" ") } }
        let revisions = try #require(table.first).dropFirst().map {
            Revision(rawValue: String($0.prefix(10)))
        }
        #expect(revisions == Revision.allCases)
        rows = table.dropFirst(2).map { cells in
            Row(
                methods: cells[0].matches(of: /`([^`]+)`/).map(\.1),
                cells: Dictionary(
                    uniqueKeysWithValues: zip(
                        Revision.allCases,
                        cells.dropFirst().map { $0.prefix { $0 != " " } }
                    )
                )
            )
        }
        .filter { !$0.methods.isEmpty }
    }

    @Test("it contains exactly the methods that a server with all features has")
    func methods() {
        let listed = rows.filter { $0.cells.values.contains("yes") }.flatMap(\.methods)
        let server = TestServer.makeServer().methods.map(\.name)
        #expect(
            Set(listed.map(String.init)) == Set(server).subtracting(["notifications/initialized"])
        )
    }

    @Test(
        "a method exists in a revision if the table says yes, and is -32601 otherwise",
        arguments: Revision.allCases
    )
    func cells(revision: Revision) async throws {
        for row in rows {
            for method in row.methods {
                let client = try Client()
                if revision.hasHandshake { _ = try await client.initialize(revision.rawValue) }
                let meta = revision.hasHandshake ? "" : Client.newest
                // A listener gets an acknowledgment, and then a result at the end of the input.
                let wanted = #""notifications":{"resourceSubscriptions":[]}"#
                client.send(String(method), meta, wanted)
                client.connection.endInput()
                let code = try await client.message()["error", "code"]
                let exists = row.cells[revision] == "yes"
                #expect((code != "-32601") == exists, "\(method)")
            }
        }
    }
}
