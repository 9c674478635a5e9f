import CommandLineKit
import JSON
import JSONRPC
import NovaBlendMethods

/// The reply of a method, and how a person sees it.
struct MethodResult: Sendable {
    private let reply: any Reply
    /// Makes what a person sees.
    let report: @Sendable (ViewContext) async -> Report

    init<R: Reply>(_ reply: R, view: @escaping @Sendable (R, ViewContext) async -> Report) {
        self.reply = reply
        report = { await view(reply, $0) }
    }

    /// Encodes the reply, as JSON-RPC does.
    func encode() throws(CommandError) -> JSONFragment {
        do { return try reply.encode().fragment } catch {
            throw CommandError(error)
        }
    }

    /// Encodes the reply without the personal members of appointments. It is for standard error,
    /// which is often logged.
    func encodeWithoutPersonalData() throws(CommandError) -> JSONFragment {
        let encoded = try encode()
        guard let value = try? JSONDocument(ofOwn: encoded).root else { return encoded }
        return JSONFragment { Self.write(value, to: &$0) }
    }

    private static func write(_ value: JSONValue, to writer: inout JSONWriter) {
        if let object = try? value.object() {
            writer.object { writer in
                for (key, member) in object where !Schemas.personal.contains(key) {
                    writer.key(key)
                    write(member, to: &writer)
                }
            }
        } else if let array = try? value.array() {
            writer.array { writer in
                for element in array { write(element, to: &writer) }
            }
        } else {
            writer.value(value)
        }
    }
}

extension JSONDocument {
    /// Parses what this program has encoded, so its length is not limited.
    convenience init(ofOwn encoded: JSONFragment) throws(JSONError) {
        let bytes = encoded.bytes
        try self.init(parsing: bytes, limits: JSONLimits(maximumBytes: bytes.count))
    }
}

/// Lenient access to the data of an error and to watched elements: a member that is missing or has an
/// unexpected type is nil or empty.
extension JSONObject {
    func text(_ key: StaticString) -> String? { try? optional(key)?.string() }

    func integer(_ key: StaticString) -> Int? { try? optional(key)?.integer() }

    func child(_ key: StaticString) -> JSONObject? { try? optional(key)?.object() }

    func objects(_ key: StaticString) -> [JSONObject] {
        guard let array = try? optional(key)?.array() else { return [] }
        return array.compactMap { try? $0.object() }
    }

    func texts(_ key: StaticString) -> [String] {
        guard let array = try? optional(key)?.array() else { return [] }
        return array.compactMap { try? $0.string() }
    }
}
