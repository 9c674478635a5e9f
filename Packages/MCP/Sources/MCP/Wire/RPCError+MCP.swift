import JSON
import JSONRPC

extension RPCError {
    /// -32022: the server does not support the revision of the request.
    static func unsupportedVersion(_ requested: String) -> RPCError {
        let data = JSONFragment { writer in
            writer.object { writer in
                writer.member("supported", Revision.withoutHandshake.map(\.rawValue))
                writer.member("requested", requested)
            }
        }
        let message = "Unsupported protocol version: \(requested)"
        return RPCError(code: -32_022, message: message, data: data)
    }

    /// There is no such resource: -32002 in the older revisions, -32602 in the newest one.
    static func resourceNotFound(_ uri: String, _ revision: Revision) -> RPCError {
        let data = JSONFragment { writer in
            writer.object { $0.member("uri", uri) }
        }
        let code = revision.hasHandshake ? -32_002 : -32_602
        return RPCError(code: code, message: "Resource not found: \(uri)", data: data)
    }
}
