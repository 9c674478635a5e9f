import Synchronization

/// What a client stated in its handshake. Before a handshake, the revision is the newest one that
/// has a handshake.
final class ClientState: Sendable {
    private let context: Mutex<RequestContext>

    init(_ serverInfo: Implementation) { context = Mutex(RequestContext(serverInfo: serverInfo)) }

    var handshake: RequestContext { context.withLock(\.self) }

    func recordHandshake(_ revision: Revision, canElicit: Bool, showsApps: Bool = false) {
        context.withLock { context in
            context.revision = revision
            context.canElicit = canElicit && revision.hasElicitation
            context.showsApps = showsApps
        }
    }
}
