/// Why the remote did not deliver.
public enum RemoteError: Error, Sendable, Hashable {
    /// No answer could be had: not resolved, not connected, not finished in time, or answered
    /// 429, 502, 503 or 504. A later try may succeed.
    case connectivity(reason: String, retryAfterSeconds: Int? = nil)
    /// An answer that breaks the contract, by its status or its payload.
    case invalidData(reason: String)
    /// No address is known for this resource.
    case notConfigured
    /// The caller no longer wants the answer.
    case cancelled
}

extension RemoteError: CustomStringConvertible {
    /// The reason in words.
    public var description: String {
        switch self {
        case .connectivity(let reason, _): reason
        case .invalidData(let reason): reason
        case .notConfigured: "no address is configured for it"
        case .cancelled: "cancelled"
        }
    }
}
