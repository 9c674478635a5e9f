public import JSON

/// A call of a method, as its handler sees it. Its task is cancelled when the caller cancels.
public struct Call: Sendable {
    /// What it was called with.
    public let params: Params
    /// What it was called with, beside that: the `_meta` of the params.
    public let meta: JSONValue?
    /// The id of the request, as it arrived; nil for a notification.
    public let id: JSONFragment?
    /// Who called.
    public let peer: Peer
    let progress: Progress?
    let queue: CallQueue
    /// Hears how far it is, where the caller is in this process.
    var listener: (@Sendable (String) -> Void)?

    /// The same call with other params, for a method that hands it on to another.
    public func with(_ params: Params) -> Call {
        Call(
            params: params,
            meta: meta,
            id: id,
            peer: peer,
            progress: progress,
            queue: queue,
            listener: listener
        )
    }

    /// Tells the caller how far it is, if the caller wants to know.
    public func report(_ message: String) {
        progress?.report(message)
        listener?(message)
    }

    /// Runs `change` in order with the changes so far to the data of `access`, for a call that
    /// became a change only on its way.
    public func inTurn<T>(
        _ access: DataAccess? = nil,
        _ change: () async throws(RPCError) -> T
    ) async throws(RPCError) -> T {
        let turn = queue.takeTurn(access)
        defer { queue.end(turn) }
        queue.pause()
        await turn.start.waitUnlessCancelled()
        queue.resume()
        if Task.isCancelled { throw .requestCancelled }
        return try await change()
    }

    /// Runs what may wait for long without holding up other calls.
    public func whileOthersRun<T>(
        _ wait: () async throws(RPCError) -> T
    ) async throws(RPCError) -> T {
        queue.pause()
        defer { queue.resume() }
        return try await wait()
    }

    /// Returns when the connection ends, which leaves time for a last answer, or when the caller
    /// cancels.
    public func untilEnd() async {
        queue.pause()
        await queue.end.waitUnlessCancelled()
        queue.resume()
    }
}
