public import JSON
public import JSONRPC

extension MCPClient {
    /// Lists the tools, from all pages.
    ///
    /// - Throws: The error of the server: -32601 if it offers no tools.
    public func tools() async throws(RPCError) -> [ServerTool] {
        try await requests.list("tools/list", "tools", ServerTool.init)
    }

    /// Calls a tool.
    ///
    /// If the server asks the user a question, the closure `elicit` of the client answers it. If
    /// the task is cancelled, the call fails immediately, and the server is notified.
    ///
    /// - Parameters:
    ///   - name: The name of the tool.
    ///   - arguments: The arguments, by name. `ObjectFragment.init(encoding:)` encodes an
    ///     `Encodable` type.
    ///   - onProgress: Receives the progress of the call, before the result. It runs on the thread
    ///     that reads the messages of the server, so it must return soon.
    /// - Returns: The result, even if the tool failed (``CallToolResult/isError``).
    /// - Throws: The error of the server if there is no such tool, or if it cannot be called.
    public func callTool(
        _ name: String,
        _ arguments: ObjectFragment = .empty,
        onProgress: (@Sendable (CallProgress) -> Void)? = nil
    ) async throws(RPCError) -> CallToolResult {
        let method = "tools/call"
        let token = onProgress.map(inbox.addProgress)
        defer { if let token { inbox.removeProgress(token) } }
        let result = try await answerQuestions(method, progressToken: token) { writer in
            writer.member("name", name)
            writer.member("arguments", arguments.fragment)
        }
        return try ClientRequests.decode(method) { try CallToolResult(result) }
    }

    /// Lists the resources, from all pages.
    ///
    /// - Throws: The error of the server: -32601 if it offers no resources.
    public func resources() async throws(RPCError) -> [ServerResource] {
        try await requests.list("resources/list", "resources", ServerResource.init)
    }

    /// Lists the templates of resources, from all pages.
    ///
    /// - Throws: The error of the server: -32601 if it offers no resources.
    public func templates() async throws(RPCError) -> [ServerResourceTemplate] {
        let method = "resources/templates/list"
        return try await requests.list(method, "resourceTemplates", ServerResourceTemplate.init)
    }

    /// Reads a resource. It may consist of several parts with their own URIs.
    ///
    /// - Throws: The error of the server if there is no such resource: -32602 in 2026-07-28, and
    ///   -32002 or -32602 before.
    public func read(_ uri: String) async throws(RPCError) -> [ResourceContents] {
        let method = "resources/read"
        let result = try await answerQuestions(method) { $0.member("uri", uri) }
        return try ClientRequests.decode(method) {
            try result.required("contents").array().map { try ResourceContents($0.object()) }
        }
    }

    /// Lists the prompts, from all pages.
    ///
    /// - Throws: The error of the server: -32601 if it offers no prompts.
    public func prompts() async throws(RPCError) -> [ServerPrompt] {
        try await requests.list("prompts/list", "prompts", ServerPrompt.init)
    }

    /// Returns the messages of a prompt.
    ///
    /// - Parameters:
    ///   - name: The name of the prompt.
    ///   - arguments: The arguments, by name.
    /// - Throws: The error of the server if there is no such prompt, or if an argument is missing.
    public func prompt(
        _ name: String,
        arguments: [String: String] = [:]
    ) async throws(RPCError) -> [PromptMessage] {
        let method = "prompts/get"
        let result = try await answerQuestions(method) { writer in
            writer.member("name", name)
            writer.object("arguments") { writer in
                for (name, value) in arguments.sorted(by: { $0.key < $1.key }) {
                    writer.member(named: name, value)
                }
            }
        }
        return try ClientRequests.decode(method) {
            try result.required("messages").array().map { try PromptMessage($0.object()) }
        }
    }
}
