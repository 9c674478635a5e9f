import JSON
import JSONRPC
import MCP

/// Runs commands and prints their results.
struct Session {
    private let client: MCPClient
    private var watched: (uri: String, changes: AsyncStream<Void>.Iterator)?

    init(_ client: MCPClient) { self.client = client }

    /// Runs a command: a word, and at most two arguments.
    mutating func run(_ line: String) async throws(RPCError) {
        let words = line.split(separator: " ", maxSplits: 2).map(String.init)
        let arguments = words.count > 2 ? words[2] : "{}"
        switch (words.first, words.dropFirst().first) {
        case ("tools", nil):
            for tool in try await client.tools() { print(tool.name) }
        case ("describe", let tool?): try await describe(tool)
        case ("call", let tool?): try await call(tool, arguments)
        case ("resources", nil):
            for resource in try await client.resources() { print(resource.uri) }
            for template in try await client.templates() { print(template.uriTemplate) }
        case ("prompts", nil):
            for prompt in try await client.prompts() { print(prompt.name) }
        case ("prompt", let name?): try await prompt(name, arguments)
        case ("read", let uri?): try await read(uri)
        case ("watch", let uri?):
            let changes = try await client.changes(of: .resource(uri))
            watched = (uri, changes.makeAsyncIterator())
        case ("wait", nil): try await wait()
        default:
            print("commands: tools, describe TOOL, call TOOL JSON, resources, read URI,")
            print("watch URI, wait, prompts, prompt NAME JSON")
        }
    }

    private func describe(_ name: String) async throws(RPCError) {
        guard let tool = try await client.tools().first(where: { $0.name == name }) else {
            throw .invalidParams("unknown tool")
        }
        print(tool.description ?? "")
        print(JSONFragment { $0.value(tool.inputSchema) }.indented())
    }

    private func prompt(_ name: String, _ arguments: String) async throws(RPCError) {
        guard let value = try? JSONDocument(parsing: Array(arguments.utf8)).root,
            let strings = try? value.decode([String: String].self)
        else { throw .invalidParams("the arguments must be a JSON object of strings") }
        for message in try await client.prompt(name, arguments: strings) {
            guard case .text(let text) = message.content else { continue }
            print("\(message.role): \(text)")
        }
    }

    private func call(_ tool: String, _ arguments: String) async throws(RPCError) {
        guard let value = try? JSONDocument(parsing: Array(arguments.utf8)).root,
            let object = try? value.object()
        else { throw .invalidParams("the arguments must be a JSON object") }
        let encoded = ObjectFragment { writer in
            for (name, value) in object {
                writer.member(named: name, value)
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
