import JSON
import JSONRPC
import Synchronization

/// The state of a client: the handshake of the older revisions, and its subscriptions.
final class ClientState: Sendable {
    private struct Listener {
        let uris: Set<String>
        let notify: @Sendable (String) -> Void
    }

    private struct State {
        var revision = Revision.newestWithHandshake
        var canElicit = false
        var subscribed: Set<String> = []
        var peer: Peer?
        var nextListener = 0
        var listeners: [Int: Listener] = [:]
    }

    private let state = Mutex(State())

    /// The revision of the handshake; without a handshake, the newest revision that has one.
    var revision: Revision { state.withLock(\.revision) }
    var canElicit: Bool { state.withLock(\.canElicit) }

    func recordHandshake(_ revision: Revision, canElicit: Bool) {
        state.withLock { state in
            state.revision = revision
            state.canElicit = canElicit && revision.hasElicitation
        }
    }

    /// Subscribes to one resource, as the older revisions do, until ``unsubscribe(_:)``.
    func subscribe(_ uri: String, _ peer: Peer) {
        state.withLock { state in
            state.subscribed.insert(uri)
            state.peer = peer
        }
    }

    func unsubscribe(_ uri: String) {
        state.withLock { _ = $0.subscribed.remove(uri) }
    }

    /// The URIs of all subscriptions.
    var subscribedURIs: Set<String> {
        state.withLock { state in
            state.listeners.values.reduce(into: state.subscribed) { $0.formUnion($1.uris) }
        }
    }

    /// Adds a listener for several resources, as the newest revision does. Returns its number.
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

    /// Notifies the subscribers of a resource.
    func resourceChanged(_ uri: String) {
        let (peer, listeners) = state.withLock { state in
            let peer = state.subscribed.contains(uri) ? state.peer : nil
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
