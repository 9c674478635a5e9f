import JSON
import JSONRPC

extension RPCError {
    /// -32022: the server does not support the requested revision.
    static func unsupportedVersion(_ requested: String) -> RPCError {
        let data = JSONFragment.object { writer in
            writer.member("supported", Revision.withoutHandshake.map(\.rawValue))
            writer.member("requested", requested)
        }
        let message = "Unsupported protocol version: \(requested)"
        return RPCError(code: -32_022, message: message, data: data)
    }

    /// The resource does not exist: -32002 in revisions with a handshake, -32602 in those without.
    /// `advice` says how to find the resources that exist.
    static func resourceNotFound(
        _ uri: String,
        _ revision: Revision,
        advice: String? = nil
    ) -> RPCError {
        let data = JSONFragment.object { $0.member("uri", uri) }
        let code = revision.hasHandshake ? -32_002 : -32_602
        let message = "Resource not found: \(uri)" + (advice.map { "; \($0)" } ?? "")
        return RPCError(code: code, message: message, data: data)
    }
}
