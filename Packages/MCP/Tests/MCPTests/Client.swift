import JSON
import JSONRPC
import JSONRPCTestSupport
import Synchronization

@testable import MCP

/// A client that is connected to a server.
final class Client: Sendable {
    static let newest = meta("2026-07-28", capabilities: "{}")

    let connection: RawConnection
    /// The server's subscriptions.
    let subscriptions: ResourceSubscriptions
    /// Counts the subscriptions that the server reported.
    let subscriptionCounter: Counter
    private let nextID = Mutex(0)

    /// Connects to a server that also has `additionalMethods`.
    convenience init(_ additionalMethods: [Method] = []) throws {
        let counter = Counter()
        let subscriptions = ResourceSubscriptions { counter.increment() }
        let server = TestServer.makeServer(subscriptions)
        try self.init(server, additionalMethods, subscriptions, counter)
    }

    /// Connects to `server`.
    init(
        _ server: MCPServer,
        _ additionalMethods: [Method] = [],
        _ subscriptions: ResourceSubscriptions = ResourceSubscriptions(),
        _ counter: Counter = Counter()
    ) throws {
        self.subscriptions = subscriptions
        subscriptionCounter = counter
        connection = try RawConnection(
            table: MethodTable(
                server.methods + additionalMethods,
                extensions: [.languageServer, .mcp]
            )
        )
    }

    static func meta(_ version: String, capabilities: String) -> String {
        let prefix = "io.modelcontextprotocol/"
        return #""_meta":{"\#(prefix)protocolVersion":"\#(version)","#
            + #""\#(prefix)clientCapabilities":\#(capabilities)}"#
    }

    /// Sends a request with the given members of its params. Returns its id.
    @discardableResult
    func send(_ method: String, _ members: String...) -> Int {
        let id = nextID.withLock { id in
            id += 1
            return id
        }
        let params = members.filter { !$0.isEmpty }.joined(separator: ",")
        connection.send(
            #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":{\#(params)}}"# + "\n"
        )
        return id
    }

    func notify(_ method: String, _ members: String = "") {
        connection.send(#"{"jsonrpc":"2.0","method":"\#(method)","params":{\#(members)}}"# + "\n")
    }

    func respond(_ id: String, _ result: String) {
        connection.send(#"{"jsonrpc":"2.0","id":"\#(id)","result":\#(result)}"# + "\n")
    }

    /// The next message from the server.
    func message() async throws -> Message {
        Message(try JSONDocument(parsing: Array((await connection.line() ?? "").utf8)).root)
    }

    /// Sends a request and returns the next message from the server, usually the reply.
    func request(_ method: String, _ members: String...) async throws -> Message {
        send(method, members.filter { !$0.isEmpty }.joined(separator: ","))
        return try await message()
    }

    func initialize(_ version: String, capabilities: String = "{}") async throws -> Message {
        let info = #""clientInfo":{"name":"test","version":"1"}"#
        let params = #""protocolVersion":"\#(version)","capabilities":\#(capabilities)"#
        return try await request("initialize", params, info)
    }
}

/// A thread-safe counter.
final class Counter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .relaxed) }

    func increment() { value.add(1, ordering: .relaxed) }
}

/// A message whose values can be read by path.
struct Message {
    private let root: JSONValue

    init(_ root: JSONValue) { self.root = root }

    /// The JSON text of the value at a path of keys and array positions; nil if it does not exist.
    subscript(_ path: String...) -> String? {
        var value = root
        for step in path {
            let next: JSONValue?
            if let position = Int(step) {
                next = (try? value.array()).flatMap { $0.dropFirst(position).first { _ in true } }
            } else {
                next = (try? value.object())?.member(named: step)
            }
            guard let next else { return nil }
            value = next
        }
        return JSONFragment { $0.value(value) }.description
    }

    /// The error that a tool returned as text, or nil.
    var toolError: Message? {
        guard self["result", "isError"] == "true", self["result", "structuredContent"] == nil,
            let encoded = self["result", "content", "0", "text"],
            let text = try? JSONDocument(parsing: Array(encoded.utf8)).root.string(),
            let root = try? JSONDocument(parsing: Array(text.utf8)).root.object()
        else { return nil }
        return root.member(named: "error").map { Message($0) }
    }

    /// The string at a path of keys; nil if it does not exist.
    func string(_ path: String...) -> String? {
        var value: JSONValue? = root
        for step in path {
            value = value.flatMap { (try? $0.object())?.member(named: step) }
        }
        return try? value?.string()
    }
}
