import JSON
import JSONRPC
import MCP
import Synchronization

/// A tool that deletes all notes, if the user consents.
extension Notes {
    private struct Clearing: Decodable { var count: Int? }
    private struct Cleared: Codable { var count: Int }

    func makeClearTool() throws -> Tool {
        let method = Method(
            "clear_notes",
            "Deletes all notes.",
            parameters: try .properties(
                of: Clearing.self,
                summaries: ["count": "deletes nothing if the number of notes is different"]
            ),
            result: .init(
                "cleared",
                "the number of deleted notes",
                schema: try ObjectSchema(decoding: Cleared.self)
            ),
            effect: .changes(destroys: true)
        ) { [self] (clearing: Clearing, _) in
            let count = try texts.withLock { texts in
                if let expected = clearing.count, expected != texts.count {
                    throw RPCError(code: 1, message: "There are \(texts.count) notes.")
                }
                defer { texts.removeAll() }
                return texts.count
            }
            subscriptions.notify(Self.uri)
            return Cleared(count: count)
        }
        return Tool(
            method,
            makeConfirmation: { [self] _ in
                let count = texts.withLock { $0.count }
                if count == 0 { return nil }
                return Confirmation(
                    "Delete all notes (\(count))?",
                    pinnedArguments: ["count": JSONFragment { $0.integer(count) }]
                )
            }
        )
    }
}
