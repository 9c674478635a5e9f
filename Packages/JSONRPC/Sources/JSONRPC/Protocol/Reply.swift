import JSON

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
