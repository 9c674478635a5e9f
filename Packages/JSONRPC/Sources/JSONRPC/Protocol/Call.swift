public import JSON

/// A call, as passed to the handler of its method. If the caller cancels the call, its task is
/// cancelled.
public struct Call: Sendable {
    /// The parameters of the call, by name.
    public internal(set) var params: Params
    /// The unprocessed params of the request, including reserved parameters.
    public let rawParams: JSONValue?
    /// The id of the request, byte for byte; nil for a notification.
    public let id: JSONFragment?
    /// The caller, whose methods the handler can call in turn.
    public let peer: Peer
    let progress: ProgressReporter?
    /// Orders the calls of a connection; nil if the call did not come from one.
    let queue: CallQueue?
    /// Receives the progress if the call did not come from a connection.
    var progressListener: (@Sendable (String) -> Void)?

    /// Returns the call with different parameters. A method uses it to forward the call to another
    /// method.
    public func with(_ params: Params) -> Call {
        var call = self
        call.params = params
        return call
    }

    /// Reports progress to the caller, if the caller requested it.
    ///
    /// - Parameters:
    ///   - message: What happens now, for people.
    ///   - completed: How much is done, in the unit of `total`; nil if unknown. It must increase
    ///     from step to step.
    ///   - total: How much there is to do, in any unit; nil if unknown.
    public func report(_ message: String, completed: Double? = nil, of total: Double? = nil) {
        progress?.report(message, completed: completed, total: total)
        progressListener?(message)
    }

    /// Waits for the earlier changes to the data in `access` (nil for all data), and then runs
    /// `change`. A call with the effect ``Method/CallEffect/changesLater`` changes data only here.
    ///
    /// Throws -32800 without running `change` if the call is cancelled first.
    public func inTurn<T>(
        _ access: DataAccess? = nil,
        _ change: () async throws(RPCError) -> T
    ) async throws(RPCError) -> T {
        let slot = queue?.reserveSlot(access)
        defer { if let slot { queue?.releaseSlot(slot) } }
        queue?.pauseCall()
        await slot?.turn.valueUnlessCancelled()
        queue?.resumeCall()
        if Task.isCancelled { throw .requestCancelled }
        return try await change()
    }

    /// Runs `wait` without counting as a running call (``RPCLimits/maximumRunning``). Use it to
    /// wait for something slow, such as the user.
    public func withoutCountingAsRunning<T>(
        _ wait: () async throws(RPCError) -> T
    ) async throws(RPCError) -> T {
        queue?.pauseCall()
        defer { queue?.resumeCall() }
        return try await wait()
    }

    /// Waits until the input ends or the caller cancels the call. After the end of the input, the call
    /// can still reply.
    public func waitForInputEnd() async {
        queue?.pauseCall()
        // Without a connection, there is no input that could end.
        await (queue?.inputEnd ?? Latch()).valueUnlessCancelled()
        queue?.resumeCall()
    }
}
