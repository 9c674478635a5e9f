import JSON

/// A message, decoded as far as JSON-RPC 2.0 defines it.
enum Envelope {
    /// A request that needs a reply.
    case request(id: RequestID, method: String, params: JSONValue?)
    case notification(method: String, params: JSONValue?)
    /// A reply of the peer. The id is nil if it cannot belong to a request of this side.
    case response(id: String?, Result<JSONValue, RPCError>)
    /// Not a message. The id is as it arrived, or `null`.
    case invalid(id: [UInt8], RPCError)

    static let nullID = Array("null".utf8)

    /// Decodes `value`, which was parsed from `bytes`.
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
        let isVersion2 = (try? object["jsonrpc"]?.string()) == "2.0"
        if isVersion2, object["method"] == nil, object["result"] != nil || object["error"] != nil {
            self = .response(id: try? object["id"]?.string(), Self.answer(in: object))
            return
        }
        var reason: String?
        if !isVersion2 {
            reason = "\"jsonrpc\" must be \"2.0\""
        } else if object["method"]?.kind != .string {
            reason = "\"method\" must be a string"
        } else if id == nil, object["id"] != nil {
            reason = "\"id\" must be a string, a number or null"
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

    /// The bytes of the id; nil if there is no valid one.
    private static func id(of object: JSONObject, _ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard let id = object["id"], [.string, .number, .null].contains(id.kind) else {
            return nil
        }
        // Such a number has only one spelling, so its bytes need not be found.
        if let number = id.plainInteger { return JSONFragment { $0.integer(number) }.bytes }
        let members = JSONScanner.memberRanges(ofObjectIn: bytes)
        guard let found = members.first(where: { isID(bytes[$0.key]) }) else {
            // The key is written with escapes. Encoding the value again is equivalent.
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

/// Encodes the replies to requests.
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
