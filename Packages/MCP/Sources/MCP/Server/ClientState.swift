import JSON
import JSONRPC
import Synchronization

/// The state of a client: its handshake, in revisions that have one, and its subscriptions.
final class ClientState: Sendable {
    private struct Listener {
        let uris: Set<String>
        let notify: @Sendable (String) -> Void
    }

    private struct State {
        var revision = Revision.newestWithHandshake
        var canElicit = false
        var subscribedURIs: Set<String> = []
        var peer: Peer?
        var nextListener = 0
        var listeners: [Int: Listener] = [:]
    }

    private let state = Mutex(State())

    /// The revision from the handshake; without a handshake, the newest revision that has one.
    var revision: Revision { state.withLock(\.revision) }
    var canElicit: Bool { state.withLock(\.canElicit) }

    func recordHandshake(_ revision: Revision, canElicit: Bool) {
        state.withLock { state in
            state.revision = revision
            state.canElicit = canElicit && revision.hasElicitation
        }
    }

    /// Subscribes to a resource until ``unsubscribe(_:)``, in revisions with a handshake.
    func subscribe(_ uri: String, _ peer: Peer) {
        state.withLock { state in
            state.subscribedURIs.insert(uri)
            state.peer = peer
        }
    }

    func unsubscribe(_ uri: String) {
        state.withLock { _ = $0.subscribedURIs.remove(uri) }
    }

    /// The URIs of all subscriptions.
    var subscribedURIs: Set<String> {
        state.withLock { state in
            state.listeners.values.reduce(into: state.subscribedURIs) { $0.formUnion($1.uris) }
        }
    }

    /// Subscribes to resources until ``stopListening(_:)``, in revisions without a handshake.
    /// Returns the number of the listener.
    func listen(_ uris: Set<String>, _ notify: @escaping @Sendable (String) -> Void) -> Int {
        state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = Listener(uris: uris, notify: notify)
            return state.nextListener
        }
    }

    func stopListening(_ number: Int) {
        state.withLock { state in state.listeners[number] = nil }
    }

    /// Notifies the subscribers of a changed resource.
    func resourceChanged(_ uri: String) {
        let (peer, listeners) = state.withLock { state in
            let peer = state.subscribedURIs.contains(uri) ? state.peer : nil
            return (peer, state.listeners.values.filter { $0.uris.contains(uri) })
        }
        peer?.notify(
            "notifications/resources/updated",
            JSONFragment { writer in
                writer.object { $0.member("uri", uri) }
            }
        )
        for listener in listeners { listener.notify(uri) }
    }
}
