public import JSON

/// One message of a batch (``Peer/batch(_:timeout:cancellation:)``).
public enum OutgoingMessage: Sendable, Hashable {
    /// A call of a method. The params must be an object or an array.
    case call(String, JSONFragment? = nil)
    /// A notification. The params must be an object or an array.
    case notification(String, JSONFragment? = nil)

    var isCall: Bool { if case .call = self { true } else { false } }
}
