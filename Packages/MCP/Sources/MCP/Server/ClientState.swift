import Synchronization

/// What a client stated in its handshake, in revisions that have one. Without a handshake, the newest
/// of these revisions.
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
