public import JSON
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

/// One step of the progress of a call.
public struct ProgressStep: Sendable, Hashable {
    /// The number of the step in the call, starting at 1.
    public let number: Int
    /// What happens in this step, for people.
    public let message: String
    /// The summary of the method that reports the progress.
    public let title: String
    /// How much is done, in the unit of ``total``; nil if unknown.
    public let completed: Double?
    /// How much there is to do, in any unit; nil if unknown.
    public let total: Double?

    /// How much is done, from 0 to 100, rounded down; nil if unknown.
    public var percentage: Int? {
        guard let completed, let total, total > 0 else { return nil }
        // Multiply first: `completed / total * 100` is less than 58 for 29 of 50.
        let percentage = completed * 100 / total
        return percentage.isFinite ? Int(max(0, min(100, percentage))) : nil
    }
}

/// How progress is sent to the caller.
public protocol ProgressFormat: Sendable {
    /// The name of the notifications that report progress in this format.
    static var method: String { get }

    /// Creates the format from the progress token in the params of a call; nil if there is no token
    /// of this format.
    init?(params: JSONObject)

    /// The params of the notification for one step.
    func params(for step: ProgressStep) -> JSONFragment

    /// The params of the notification between the last step and the reply; nil if the format has none.
    var endParams: JSONFragment? { get }
}

extension ProgressFormat {
    /// Encodes a token, which must be a string or a number; nil for other values.
    public static func token(_ value: JSONValue) -> JSONFragment? {
        guard value.kind == .string || value.kind == .number else { return nil }
        return JSONFragment { $0.value(value) }
    }
}

/// `$/progress` for callers that send a `workDoneToken` (LSP 3.17, "Work Done Progress").
struct WorkDoneProgress: ProgressFormat {
    static let method = "$/progress"

    private let token: JSONFragment

    init?(params: JSONObject) {
        guard let token = params["workDoneToken"].flatMap(Self.token) else { return nil }
        self.token = token
    }

    func params(for step: ProgressStep) -> JSONFragment {
        params { writer in
            writer.member("kind", step.number == 1 ? "begin" : "report")
            if step.number == 1 { writer.member("title", step.title) }
            writer.member("message", step.message)
            writer.member("percentage", step.percentage)
        }
    }

    var endParams: JSONFragment? {
        params { $0.member("kind", "end") }
    }

    private func params(_ writeValue: (inout JSONWriter) -> Void) -> JSONFragment {
        .object { writer in
            writer.member("token", token)
            writer.object("value", writeValue)
        }
    }
}
