import JSON
import JSONRPC
import MCP
import Synchronization

/// Notes in memory: a tool adds one, and a resource contains all of them.
final class Notes: Sendable {
    private struct Note: Decodable { var text: String }
    private struct Added: Codable { var count: Int }

    static let uri = "notes://all"
    let texts = Mutex<[String]>([])
    let subscriptions = ResourceSubscriptions()

    func makeAddTool() throws -> Tool {
        let method = Method(
            "add_note",
            "Adds a note.",
            parameters: try .properties(of: Note.self, summaries: ["text": "the note"]),
            result: .init(
                "added",
                "the number of notes",
                schema: try ObjectSchema(decoding: Added.self)
            ),
            effect: .changes()
        ) { [self] (note: Note, _) in
            let count = texts.withLock { texts in
                texts.append(note.text)
                return texts.count
            }
            subscriptions.notify(Self.uri)
            return Added(count: count)
        }
        return Tool(method)
    }

    var resource: Resource {
        Resource(Self.uri, name: "notes", description: "All notes.", mimeType: "text/plain") {
            [self] _ in
            .text(texts.withLock { $0.joined(separator: "\n") })
        }
    }
}
