import Contract
import NovaBlendEngine

extension LiveChanges.Event {
    /// What is reported about the connection; nil for a change.
    var note: String? {
        switch self {
        case .changed: nil
        case .offline(let since, let error): "offline since \(ISO8601.formatUTC(since)): \(error)"
        case .online: "the server answers again"
        }
    }
}
