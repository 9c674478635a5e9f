import JSON
import JSONRPC
import Synchronization

/// The resources to which a client has subscribed. A server with resources that change has one, and
/// reports each change with ``notify(_:)``.
public final class ResourceSubscriptions: Sendable {
    private struct Listener {
        let uris: Set<String>
        let notify: @Sendable (String) -> Void
    }

    private struct State {
        var subscribedURIs: Set<String> = []
        var peer: Peer?
        var nextListener = 0
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
            state.listeners.values.reduce(into: state.subscribedURIs) { $0.formUnion($1.uris) }
        }
    }

    /// Notifies the client that the resource `uri` has changed, if it has subscribed to it.
    public func notify(_ uri: String) {
        let (peer, listeners) = state.withLock { state in
            let peer = state.subscribedURIs.contains(uri) ? state.peer : nil
            return (peer, state.listeners.values.filter { $0.uris.contains(uri) })
        }
        peer?.notify(
            MCPNotification.resourceUpdated.rawValue,
            JSONFragment.object { $0.member("uri", uri) }
        )
        for listener in listeners { listener.notify(uri) }
    }

    /// Subscribes to a resource until ``unsubscribe(_:)``, in revisions with a handshake.
    func subscribe(_ uri: String, _ peer: Peer) {
        state.withLock { state in
            state.subscribedURIs.insert(uri)
            state.peer = peer
        }
        onChange()
    }

    func unsubscribe(_ uri: String) {
        state.withLock { _ = $0.subscribedURIs.remove(uri) }
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
