import Synchronization

/// What a client stated in its handshake, in revisions that have one.
final class ClientState: Sendable {
    private struct Handshake {
        var revision = Revision.newestWithHandshake
        var canElicit = false
    }

    private let handshake = Mutex(Handshake())

    /// The revision from the handshake; without a handshake, the newest revision that has one.
    var revision: Revision { handshake.withLock(\.revision) }
    var canElicit: Bool { handshake.withLock(\.canElicit) }

    func recordHandshake(_ revision: Revision, canElicit: Bool) {
        handshake.withLock { handshake in
            handshake.revision = revision
            handshake.canElicit = canElicit && revision.hasElicitation
        }
    }
}
