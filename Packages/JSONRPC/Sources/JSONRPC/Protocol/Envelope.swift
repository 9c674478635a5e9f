import JSON

/// A message taken apart: what JSON-RPC itself says of it.
enum Envelope {
    /// A request to answer.
    case request(id: RequestID, method: String, params: JSONValue?)
    case notification(method: String, params: JSONValue?)
    /// An answer of the other side; without an id that could be one of ours it is nobody's.
    case response(id: String?, Result<JSONValue, RPCError>)
    case invalid(id: [UInt8], RPCError)

    static let nullID = Array("null".utf8)

    /// Takes `value` apart, which was parsed from `bytes`.
    init(_ value: JSONValue, _ bytes: UnsafeRawBufferPointer) {
        guard let object = try? value.object() else {
            self = .invalid(id: Self.nullID, .invalidRequest("a request is an object"))
            return
        }
        let id = Self.id(of: object, bytes)
        if object.hasDuplicateKeys {
            let error = RPCError.invalidRequest("a key of the envelope is there twice")
            self = .invalid(id: Self.nullID, error)
            return
        }
        let isOurs = (try? object["jsonrpc"]?.string()) == "2.0"
        if isOurs, object["method"] == nil, object["result"] != nil || object["error"] != nil {
            self = .response(id: try? object["id"]?.string(), Self.answer(in: object))
            return
        }
        if let complaint = Self.complaint(about: object, isOurs: isOurs, id: id) {
            self = .invalid(id: id ?? Self.nullID, .invalidRequest(complaint))
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

    private static func complaint(about object: JSONObject, isOurs: Bool, id: [UInt8]?) -> String? {
        if !isOurs { return "\"jsonrpc\" must be \"2.0\"" }
        if object["method"]?.kind != .string { return "\"method\" must be a string" }
        if id == nil, object["id"] != nil { return "\"id\" must be a string, a number or null" }
        switch object["params"]?.kind {
        case nil, .null, .object, .array: return nil
        default: return "\"params\" must be an object or an array"
        }
    }

    /// The bytes of the id; nil when there is none, or none that may be echoed.
    private static func id(of object: JSONObject, _ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let id = object["id"], [.string, .number, .null].contains(id.kind) else {
            return nil
        }
        // Such a number is written in one way only, so its bytes need not be looked for.
        if let number = id.plainInteger { return JSONFragment { $0.integer(number) }.bytes }
        let members = JSONScanner.memberRanges(ofObjectIn: bytes)
        guard let found = members.first(where: { isID(bytes[$0.key]) }) else {
            // The key is written with escapes: the value says the same.
            return JSONFragment { $0.value(id) }.bytes
        }
        return Array(bytes[found.value])
    }

    private static func answer(in object: JSONObject) -> Result<JSONValue, RPCError> {
        if let result = object["result"], object["error"] == nil { return .success(result) }
        let error = try? object["error"]?.object()
        let code = try? error?["code"]?.integer()
        let message = try? error?["message"]?.string()
        return .failure(RPCError(code: code ?? -32_603, message: message ?? "an unreadable error"))
    }

    private static func isID(_ key: Slice<UnsafeRawBufferPointer>) -> Bool {
        key.elementsEqual("\"id\"".utf8)
    }
}

/// Replies.
enum Reply {
    static func result(_ result: JSONFragment, id: [UInt8]) -> JSONFragment {
        var head = Array("{\"jsonrpc\":\"2.0\",\"id\":".utf8)
        head += id
        head += ",\"result\":".utf8
        return result.enclosed(by: head, [UInt8(ascii: "}")])
    }

    static func error(_ error: RPCError, id: [UInt8]) -> JSONFragment {
        JSONFragment { writer in
            writer.object { writer in
                writer.member("jsonrpc", "2.0")
                writer.key("id")
                writer.raw(id)
                writer.key("error")
                writer.object { writer in
                    writer.member("code", error.code)
                    writer.member("message", error.message)
                    if let data = error.data { writer.member("data", data) }
                }
            }
        }
    }
}
