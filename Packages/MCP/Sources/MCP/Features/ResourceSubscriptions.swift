import JSON
import JSONRPC
import Synchronization

/// The resources to which a client has subscribed. A server with resources that change has one, and
/// reports each change with ``notify(_:)``.
public final class ResourceSubscriptions: Sendable {
    private struct Listener {
        var uris: Set<String>
        let notify: @Sendable (String) -> Void
    }

    private struct State {
        var nextListener = 0
        /// The listeners, by number. All subscriptions of revisions with a handshake are those of one
        /// listener, with the number 0.
        var listeners: [Int: Listener] = [:]
    }

    private let state = Mutex(State())
    private let onChange: @Sendable () -> Void

    /// Creates an empty collection for one connection.
    ///
    /// - Parameter onChange: Runs after each change of ``uris``.
    public init(onChange: @escaping @Sendable () -> Void = {}) {
        self.onChange = onChange
    }

    /// The URIs of all subscriptions.
    public var uris: Set<String> {
        state.withLock { state in
            state.listeners.values.reduce(into: []) { $0.formUnion($1.uris) }
        }
    }

    /// Notifies the client that the resource `uri` has changed, if the client has subscribed to the
    /// resource.
    public func notify(_ uri: String) {
        let listeners = state.withLock { state in
            state.listeners.values.filter { $0.uris.contains(uri) }
        }
        for listener in listeners { listener.notify(uri) }
    }

    /// Subscribes to a resource until ``unsubscribe(_:)``, in revisions with a handshake.
    func subscribe(_ uri: String, _ peer: Peer) {
        let listener = Listener(uris: []) { uri in
            let params = JSONFragment.object { $0.member("uri", uri) }
            peer.notify(MCPNotification.resourceUpdated.rawValue, params)
        }
        state.withLock { _ = $0.listeners[0, default: listener].uris.insert(uri) }
        onChange()
    }

    func unsubscribe(_ uri: String) {
        state.withLock { _ = $0.listeners[0]?.uris.remove(uri) }
        onChange()
    }

    /// Subscribes to resources until ``stopListening(_:)``, in revisions without a handshake.
    /// Returns the number of the listener.
    ///
    /// - Parameter acknowledge: Tells the client that the subscription begins. No notification comes
    ///   before it, and after it no change is missed. It must not use this object.
    func listen(
        _ uris: Set<String>,
        acknowledge: () -> Void,
        _ notify: @escaping @Sendable (String) -> Void
    ) -> Int {
        let number = state.withLock { state in
            acknowledge()
            state.nextListener += 1
            state.listeners[state.nextListener] = Listener(uris: uris, notify: notify)
            return state.nextListener
        }
        onChange()
        return number
    }

    func stopListening(_ number: Int) {
        state.withLock { state in state.listeners[number] = nil }
        onChange()
    }
}
