package import JSON
package import JSONRPC

/// The value that a call of a method returns. Inside the process it is used as it is; JSON-RPC, MCP, and
/// `--json` write its JSON.
package protocol Reply: Sendable {
    /// Encodes the result. The schema of the method's result describes it.
    func encode() throws(RPCError) -> ObjectFragment
}

/// A result that nothing in the process needs as a value.
extension ObjectFragment: Reply {
    package func encode() -> ObjectFragment { self }
}

/// The name of a method, with the type of its reply.
package struct MethodName<R: Reply>: Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let name: String

    package var description: String { name }

    package init(_ name: String) { self.name = name }

    package init(stringLiteral name: String) { self.name = name }
}

extension Method {
    /// Calls the method that was declared with `name`.
    package func reply<R: Reply>(
        to call: Call,
        as name: MethodName<R>
    ) async throws(RPCError) -> R {
        if let reply = try await declaration.reply?(call) as? R { return reply }
        throw .internalError("\(name) has no reply of its type")
    }
}
