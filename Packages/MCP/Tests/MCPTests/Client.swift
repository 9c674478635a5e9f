import JSON
import JSONRPC
import JSONRPCTestSupport
import Synchronization

@testable import MCP

/// A client of a server with a few tools, resources, and prompts for the tests.
final class Client: Sendable {
    static let newest = meta("2026-07-28", capabilities: "{}")

    let connection: Connection
    let server: MCPServer
    /// How many subscriptions the server reported.
    let subscriptions: Counter
    private let nextID = Mutex(0)

    /// Connects to a server that also has the methods `more`.
    init(_ more: [Method] = []) throws {
        let subscriptions = Counter()
        server = TestServer.makeServer { subscriptions.increment() }
        self.subscriptions = subscriptions
        connection = try Connection(
            table: MethodTable(server.methods + more, extensions: [.languageServer, .mcp])
        )
    }

    static func meta(_ version: String, capabilities: String) -> String {
        let prefix = "io.modelcontextprotocol/"
        return #""_meta":{"\#(prefix)protocolVersion":"\#(version)","#
            + #""\#(prefix)clientCapabilities":\#(capabilities)}"#
    }

    /// Sends a request with these members of its params, and returns its id.
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

    /// The next message of the server.
    func message() async throws -> Message {
        Message(try JSONDocument(parsing: Array((await connection.line() ?? "").utf8)).root)
    }

    /// Sends a request and returns the next message, which is the reply if nothing else is sent.
    func ask(_ method: String, _ members: String...) async throws -> Message {
        send(method, members.filter { !$0.isEmpty }.joined(separator: ","))
        return try await message()
    }

    func initialize(_ version: String, capabilities: String = "{}") async throws -> Message {
        let info = #""clientInfo":{"name":"test","version":"1"}"#
        let hello = #""protocolVersion":"\#(version)","capabilities":\#(capabilities)"#
        return try await ask("initialize", hello, info)
    }
}

/// A number that counts.
final class Counter: Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .relaxed) }

    func increment() { value.add(1, ordering: .relaxed) }
}

/// A message, whose values are found by their path.
struct Message {
    private let root: JSONValue

    init(_ root: JSONValue) { self.root = root }

    /// The JSON of the value at these keys and positions; nil if one of them does not exist.
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

    /// The string at these keys.
    func string(_ path: String...) -> String? {
        var value: JSONValue? = root
        for step in path {
            value = value.flatMap { (try? $0.object())?.member(named: step) }
        }
        return try? value?.string()
    }
}
