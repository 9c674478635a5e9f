import JSON
import Synchronization

/// Sends the progress of one call to its caller.
final class ProgressReporter: Sendable {
    private let format: any ProgressFormat
    private let title: String
    private let peer: Peer
    private let stepCount = Mutex(0)

    /// Nil if the caller sent no token that one of `formats` finds.
    init?(_ params: JSONValue?, _ formats: [any ProgressFormat.Type], title: String, peer: Peer) {
        guard let params = try? params?.object() else { return nil }
        var found: (any ProgressFormat)?
        for format in formats where found == nil { found = format.init(params: params) }
        guard let format = found else { return nil }
        self.format = format
        self.title = title
        self.peer = peer
    }

    func report(_ message: String) {
        // Sends under the lock, so that steps arrive in the order of their numbers.
        stepCount.withLock { count in
            count += 1
            peer.notify(format.step(count, message, title: title))
        }
    }

    /// Ends the progress if there was any. No step may follow.
    func end() {
        stepCount.withLock { count in
            if count > 0, let notification = format.end() { peer.notify(notification) }
        }
    }
}
