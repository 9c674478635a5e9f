import JSON
import Synchronization

/// Sends the progress of one call to its caller.
final class ProgressReporter: Sendable {
    private let format: any ProgressFormat
    private let title: String
    private let peer: Peer
    private let stepCount = Mutex(0)

    /// Creates a reporter that uses the first of `formats` that finds a token; nil if none does.
    init?(_ params: JSONValue?, _ formats: [any ProgressFormat.Type], title: String, peer: Peer) {
        guard let params = try? params?.object() else { return nil }
        var found: (any ProgressFormat)?
        for format in formats where found == nil { found = format.init(params: params) }
        guard let format = found else { return nil }
        self.format = format
        self.title = title
        self.peer = peer
    }

    /// Does nothing in a task that was cancelled: the caller does not want the result anymore.
    func report(_ message: String, completed: Double?, total: Double?) {
        if Task.isCancelled { return }
        // Sending inside the lock keeps the steps in order.
        stepCount.withLock { count in
            count += 1
            let step = ProgressStep(
                number: count,
                message: message,
                title: title,
                completed: completed,
                total: total
            )
            peer.notify(type(of: format).method, format.params(for: step))
        }
    }

    /// Ends the progress if a step was reported. Call it after the last step.
    func end() {
        stepCount.withLock { count in
            if count > 0, let params = format.endParams {
                peer.notify(type(of: format).method, params)
            }
        }
    }
}
