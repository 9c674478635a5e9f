public import JSON

/// A JSON-RPC error.
public struct RPCError: Error, Sendable, Hashable {
    /// The code of the error. -32768 to -32000 are reserved (JSON-RPC 2.0, section 5.1), and LSP
    /// 3.17 uses -32899 to -32800. A program may use any other number.
    public var code: Int
    /// The message of the error, a sentence for the user.
    public var message: String
    /// Details for the program that called. `JSONFragment(encoding:)` encodes them, and
    /// `JSONDocument(parsing: data.bytes).root.decode(_:)` decodes them.
    public var data: JSONFragment?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The code of the error.
    ///   - message: A sentence for the user.
    ///   - data: Details for the program that called.
    public init(code: Int, message: String, data: JSONFragment? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

    /// Creates the error of a call whose handler throws `error`: -32800 for a `CancellationError`,
    /// the error itself for an ``RPCError``, and -32603 for any other.
    public init(thrown error: any Error) {
        switch error {
        case let error as RPCError: self = error
        case is CancellationError: self = .requestCancelled
        default: self = .internalError(String(describing: error))
        }
    }

    /// -32700: the message is not valid JSON.
    public static func parseError(_ reason: String) -> RPCError {
        RPCError(code: -32_700, message: "Parse error: \(reason)")
    }

    /// -32600: the message is valid JSON but not a valid request.
    public static func invalidRequest(_ reason: String) -> RPCError {
        RPCError(code: -32_600, message: "Invalid request: \(reason)")
    }

    /// -32601: the method does not exist. `advice` can explain how to list the methods.
    public static func methodNotFound(_ name: String, advice: String? = nil) -> RPCError {
        var message = "Method not found: \(name)"
        if let advice { message += "; \(advice)" }
        return named("methodNotFound", -32_601, message) { $0.member("method", name) }
    }

    /// -32602: the method does not accept the parameters. `parameter` is the name of the invalid
    /// one, `path` is its path in the message if that is known, and `unknown` has the names that the
    /// method does not know. The data contains all arguments.
    public static func invalidParams(
        _ reason: String,
        parameter: String? = nil,
        path: String? = nil,
        unknown: [String] = []
    ) -> RPCError {
        named("invalidParams", -32_602, "Invalid params: \(reason)") { writer in
            writer.member("reason", reason)
            writer.member("parameter", parameter)
            writer.member("path", path)
            if !unknown.isEmpty { writer.member("unknown", unknown) }
        }
    }

    /// -32603: an internal failure of the server.
    public static func internalError(_ reason: String) -> RPCError {
        RPCError(code: -32_603, message: "Internal error: \(reason)")
    }

    /// -32000: the calls in progress exceed ``RPCLimits``. The caller may retry later.
    public static let overloaded = named(
        "overloaded",
        -32_000,
        "Too many calls are in progress; retry after some have finished",
        isRetryable: true
    )

    /// -32001: the input ended before the call finished. The call changed nothing and may be
    /// retried.
    public static let inputEnded = named(
        "inputEnded",
        -32_001,
        "The input ended before the call finished; keep the input open and retry",
        isRetryable: true
    )

    /// -32001: the input ended, and the call may have changed data.
    static let inputEndedInDoubt = inDoubt("inputEnded", -32_001, "The input ended")

    /// -32800: the caller cancelled a call that may have changed data.
    static let cancelledInDoubt = inDoubt("cancelled", -32_800, "The request was cancelled")

    private static func inDoubt(_ name: String, _ code: Int, _ event: String) -> RPCError {
        named(name, code, "\(event), but the call did not stop in time and may have taken effect")
    }

    /// -32010: a call to the peer got no response within its timeout. It may have taken effect
    /// (``Peer/call(_:_:timeout:cancellation:)``). Compare with `== .timedOut`, because a peer may use
    /// the code for an error of its own.
    public static let timedOut = named("timedOut", -32_010, "The call timed out")

    /// -32011: the connection ended before the peer responded to a call. The call may have taken
    /// effect (``Peer/call(_:_:timeout:cancellation:)``).
    public static let connectionEnded = named(
        "connectionEnded",
        -32_011,
        "The connection ended before the response"
    )

    /// An error whose data says what happened and whether the call may be retried.
    private static func named(
        _ name: String,
        _ code: Int,
        _ message: String,
        isRetryable: Bool = false,
        more: (inout JSONWriter) -> Void = { _ in }
    ) -> RPCError {
        let data = JSONFragment.object { writer in
            writer.member("name", name)
            writer.member("retryable", isRetryable)
            more(&writer)
        }
        return RPCError(code: code, message: message, data: data)
    }

    /// -32800: the caller cancelled the request (LSP 3.17, "Cancellation Support").
    public static let requestCancelled = RPCError(code: -32_800, message: "Request cancelled")
}
