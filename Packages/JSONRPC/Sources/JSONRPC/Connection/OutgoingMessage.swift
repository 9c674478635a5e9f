public import JSON

/// One message of a batch (``Peer/batch(_:timeout:cancellation:)``).
public enum OutgoingMessage: Sendable, Hashable {
    /// A call of a method. The params must be an object or an array.
    case call(String, JSONFragment? = nil)
    /// A notification. The params must be an object or an array.
    case notification(String, JSONFragment? = nil)

    var isCall: Bool { calledMethod != nil }

    /// The method of a call; nil for a notification.
    var calledMethod: String? { if case .call(let method, _) = self { method } else { nil } }
}
