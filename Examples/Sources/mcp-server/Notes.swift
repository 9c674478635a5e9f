import JSON
import JSONRPC
import MCP
import Synchronization

/// Notes in memory: a tool adds one, and a resource contains all of them.
final class Notes: Sendable {
    private static let uri = "notes://all"
    private let texts = Mutex<[String]>([])
    let subscriptions = ResourceSubscriptions()

    var tool: Tool {
        let method = ObjectMethod(
            "add_note",
            "Adds a note.",
            parameters: [
                .init("text", "the note", isRequired: true, schema: JSONSchema.string.fragment)
            ],
            result: .init(
                "added",
                "the number of notes",
                schema: ObjectSchema([.init("count", .integer)])
            ),
            effect: .changes()
        ) { [self] call throws(RPCError) in
            let text = try call.params.string("text") ?? ""
            let count = texts.withLock { texts in
                texts.append(text)
                return texts.count
            }
            subscriptions.notify(Self.uri)
            return ObjectFragment { $0.member("count", count) }
        }
        return Tool(method)
    }

    var resource: Resource {
        Resource(Self.uri, name: "notes", summary: "All notes.", mediaType: "text/plain") {
            [self] _ throws(RPCError) in
            .text(texts.withLock { $0.joined(separator: "\n") })
        }
    }
}
