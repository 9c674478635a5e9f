package import JSONRPC

extension RPCError {
    /// -32602 for a required parameter that is missing.
    package static func missing(_ parameter: String) -> RPCError {
        .invalidParams("\"\(parameter)\" is required", parameter: parameter)
    }
}
