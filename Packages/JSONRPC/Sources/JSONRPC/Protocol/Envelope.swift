@_spi(JSONRPC) import JSON

/// A decoded JSON-RPC 2.0 message.
enum Envelope {
    /// A request that needs a reply.
    case request(id: RequestID, method: String, params: JSONValue?)
    case notification(method: String, params: JSONValue?)
    /// The peer's response to a call. The id is nil if it is missing.
    case response(id: JSONValue?, Result<JSONValue, RPCError>)
    /// JSON that is not a valid message. The id is `null` if the message has no valid one.
    case invalid(id: [UInt8], RPCError)

    static let nullID = Array("null".utf8)

    /// Decodes `value`, which was parsed from `bytes`.
    init(_ value: JSONValue, _ bytes: UnsafeRawBufferPointer) {
        guard let object = try? value.object() else {
            self = .invalid(id: Self.nullID, .invalidRequest("a request must be an object"))
            return
        }
        let id = Self.id(of: object, bytes)
        if object.hasDuplicateKeys {
            let error = RPCError.invalidRequest("the message has a duplicate key")
            let isIDUnique = object.count { $0.key == "id" } == 1
            self = .invalid(id: (isIDUnique ? id : nil) ?? Self.nullID, error)
            return
        }
        let isVersion2 = (try? object["jsonrpc"]?.string()) == "2.0"
        if isVersion2, object["method"] == nil, object["result"] != nil || object["error"] != nil {
            self = .response(id: object["id"], Self.result(in: object))
            return
        }
        var reason: String?
        if !isVersion2 {
            reason = "\"jsonrpc\" must be \"2.0\""
        } else if object["method"]?.kind != .string {
            reason = "\"method\" must be a string"
        } else if id == nil, object["id"] != nil {
            reason = "\"id\" must be a string, a number, or null"
        } else if let kind = object["params"]?.kind, ![.null, .object, .array].contains(kind) {
            reason = "\"params\" must be an object or an array"
        }
        if let reason {
            self = .invalid(id: id ?? Self.nullID, .invalidRequest(reason))
            return
        }
        let method = (try? object["method"]?.string()) ?? ""
        if let id, let value = object["id"] {
            self = .request(
                id: RequestID(bytes: id, value),
                method: method,
                params: object["params"]
            )
        } else {
            self = .notification(method: method, params: object["params"])
        }
    }

    /// The bytes of the id; nil if it is missing or invalid.
    private static func id(of object: JSONObject, _ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let id = object["id"], [.string, .number, .null].contains(id.kind) else {
            return nil
        }
        // A canonical integer has only one spelling, so there is no need to find its original
        // bytes.
        if let number = id.canonicalInteger { return JSONFragment { $0.integer(number) }.bytes }
        let members = JSONScanner.memberRanges(ofObjectIn: bytes)
        guard let found = members.first(where: { isID(bytes[$0.key]) }) else {
            // The key contains escapes. Encode the value again.
            return JSONFragment { $0.value(id) }.bytes
        }
        return Array(bytes[found.value])
    }

    private static func result(in object: JSONObject) -> Result<JSONValue, RPCError> {
        // Some servers send `error: null` together with a result.
        let hasError = object.optional("error") != nil
        if let result = object["result"], !hasError { return .success(result) }
        let error = try? object["error"]?.object()
        let code = try? error?["code"]?.integer()
        let message = try? error?["message"]?.string()
        return .failure(
            RPCError(
                code: code ?? -32_603,
                message: message ?? "invalid error response",
                data: error?["data"].map { data in JSONFragment { $0.value(data) } }
            )
        )
    }

    private static func isID(_ key: Slice<UnsafeRawBufferPointer>) -> Bool {
        key.elementsEqual("\"id\"".utf8)
    }
}

/// Encodes the replies to requests.
enum Reply {
    static func result(_ result: JSONFragment, id: [UInt8]) -> JSONFragment {
        var head = Array("{\"jsonrpc\":\"2.0\",\"id\":".utf8)
        head += id
        head += ",\"result\":".utf8
        return result.enclosed(by: head, [UInt8(ascii: "}")])
    }

    static func error(_ error: RPCError, id: [UInt8]) -> JSONFragment {
        JSONFragment.object { writer in
            writer.member("jsonrpc", "2.0")
            writer.key("id")
            writer.raw(id)
            writer.object("error") { writer in
                writer.member("code", error.code)
                writer.member("message", error.message)
                writer.member("data", error.data)
            }
        }
    }
}
