public import JSON

/// An error as JSON-RPC sends it.
public struct RPCError: Error, Sendable, Hashable {
    /// Standard codes are negative (JSON-RPC 2.0, section 5.1); a program's own are positive.
    public var code: Int
    /// One sentence for people.
    public var message: String
    /// Details for programs.
    public var data: JSONFragment?

    /// Makes an error.
    public init(code: Int, message: String, data: JSONFragment? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

    /// -32700: the message is not JSON.
    public static func parseError(_ why: String) -> RPCError {
        RPCError(code: -32_700, message: "Parse error: \(why)")
    }

    /// -32600: the message is JSON, but not a request.
    public static func invalidRequest(_ why: String) -> RPCError {
        RPCError(code: -32_600, message: "Invalid request: \(why)")
    }

    /// -32601: there is no such method. `advice` says how to find those that exist.
    public static func methodNotFound(_ name: String, advice: String? = nil) -> RPCError {
        var message = "Method not found: \(name)"
        if let advice { message += "; \(advice)" }
        return RPCError(code: -32_601, message: message)
    }

    /// -32602: the method does not accept the parameters. `parameter` names the wrong one.
    public static func invalidParams(_ why: String, parameter: String? = nil) -> RPCError {
        let data = JSONFragment { writer in
            writer.object { writer in
                writer.member("name", "invalidParams")
                writer.member("retryable", false)
                writer.member("parameter", parameter)
            }
        }
        return RPCError(code: -32_602, message: "Invalid params: \(why)", data: data)
    }

    /// -32603: the server failed.
    public static func internalError(_ why: String) -> RPCError {
        RPCError(code: -32_603, message: "Internal error: \(why)")
    }

    /// -32000: too many calls are in progress for ``RPCLimits``. The caller may retry later.
    public static let overloaded = RPCError(
        code: -32_000,
        message: "Too much is under way; ask again when answers have arrived",
        data: JSONFragment { writer in
            writer.object { writer in
                writer.member("name", "overloaded")
                writer.member("retryable", true)
            }
        }
    )

    /// -32001: the input ended before the call did. The call changed nothing and may be retried.
    public static let ended = RPCError(
        code: -32_001,
        message: "The input ended before the answer was there; keep it open and ask again",
        data: JSONFragment { writer in
            writer.object { writer in
                writer.member("name", "ended")
                writer.member("retryable", true)
            }
        }
    )

    /// -32001: the input ended while the call may have changed something.
    static let endedInDoubt = inDoubt(-32_001, "ended", "The input ended")

    /// -32800: the caller cancelled a call that may have changed something.
    static let cancelledInDoubt = inDoubt(-32_800, "cancelled", "The request was cancelled")

    private static func inDoubt(_ code: Int, _ name: String, _ event: String) -> RPCError {
        RPCError(
            code: code,
            message: "\(event), and the call did not stop in time; it may have taken effect",
            data: JSONFragment { writer in
                writer.object { writer in
                    writer.member("name", name)
                    writer.member("retryable", false)
                }
            }
        )
    }

    /// The connection ended before the peer answered a request of this side.
    static let noAnswer = internalError("the connection ended before the peer answered")

    /// -32800: the caller cancelled the request (LSP).
    public static let requestCancelled = RPCError(code: -32_800, message: "Request cancelled")
}
