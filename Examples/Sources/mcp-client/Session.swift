import JSON
import JSONRPC
import MCP

/// Runs commands and prints their results.
struct Session {
    private let client: MCPClient
    private var watched: (uri: String, changes: AsyncStream<Void>.Iterator)?

    init(_ client: MCPClient) { self.client = client }

    /// Runs a command: a word, and one or two arguments.
    mutating func run(_ line: String) async throws(RPCError) {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        switch (words.first, words.dropFirst().first) {
        case ("tools", nil):
            for tool in try await client.tools() { print(tool.name) }
        case ("call", let tool?):
            try await call(tool, words.count > 2 ? words[2] : "{}")
        case ("resources", nil):
            for resource in try await client.resources() { print(resource.uri) }
        case ("prompts", nil):
            for prompt in try await client.prompts() { print(prompt.name) }
        case ("read", let uri?): try await read(uri)
        case ("watch", let uri?):
            let changes = try await client.changes(of: .resource(uri))
            watched = (uri, changes.makeAsyncIterator())
        case ("wait", nil): try await wait()
        default:
            print("commands: tools, call TOOL JSON, resources, prompts, read URI, watch URI, wait")
        }
    }

    private func call(_ tool: String, _ arguments: String) async throws(RPCError) {
        guard let value = try? JSONDocument(parsing: Array(arguments.utf8)).root,
            let object = try? value.object()
        else { throw .invalidParams("the arguments must be a JSON object") }
        let encoded = ObjectFragment { writer in
            for (name, value) in object {
                writer.key(name)
                writer.value(value)
            }
        }
        let result = try await client.callTool(tool, encoded) { step in
            print("progress: \(step.message ?? String(step.progress))")
        }
        print(result.isError ? "failed: \(result.text)" : result.text)
    }

    private func read(_ uri: String) async throws(RPCError) {
        for part in try await client.read(uri) {
            switch part.body {
            case .text(let text): print(text)
            case .blob(let bytes): print("\(bytes.count) bytes")
            }
        }
    }

    /// Waits until the watched resource changes, and prints it.
    private mutating func wait() async throws(RPCError) {
        if watched == nil { throw .invalidParams("watch a resource first") }
        guard await watched?.changes.next() != nil, let uri = watched?.uri else {
            throw .connectionEnded
        }
        print("\(uri) has changed:")
        try await read(uri)
    }
}
