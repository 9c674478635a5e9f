import JSON
import JSONRPC
import NovaBlendMethods

/// The result of a method, encoded and parsed.
struct MethodResult: Sendable {
    let encoded: JSONFragment
    let object: JSONObject

    init(_ encoded: JSONFragment) throws(RPCError) {
        let bytes = encoded.bytes
        // This program produced the result, so its length is not limited.
        let limits = JSONLimits(maximumBytes: bytes.count)
        guard let object = try? JSONDocument(parsing: bytes, limits: limits).root.object() else {
            throw .internalError("the result of a method is not an object")
        }
        self.encoded = encoded
        self.object = object
    }

    /// This result without the personal members of appointments. It is for standard error, which is
    /// often logged.
    var withoutPersonalData: MethodResult {
        get throws(RPCError) {
            try MethodResult(JSONFragment { Self.write(object.value, to: &$0) })
        }
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

/// Lenient access for views: a member that is missing or has an unexpected type is nil or empty. An
/// unexpected type should not occur, because this program produced the results.
extension JSONObject {
    func text(_ key: StaticString) -> String? { try? optional(key)?.string() }

    func integer(_ key: StaticString) -> Int? { try? optional(key)?.integer() }

    func isTrue(_ key: StaticString) -> Bool { (try? optional(key)?.bool()) == true }

    func fragment(_ key: StaticString) -> JSONFragment? {
        self[key].map { value in JSONFragment { $0.value(value) } }
    }

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
