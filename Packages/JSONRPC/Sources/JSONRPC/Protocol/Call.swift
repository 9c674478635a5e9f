public import JSON

/// A call as its handler sees it. Its task is cancelled if the caller cancels it.
public struct Call: Sendable {
    /// Its parameters.
    public private(set) var params: Params
    /// The params as they arrived, with the reserved ones that the method does not see.
    public let givenParams: JSONValue?
    /// The id of the request as it arrived; nil for a notification.
    public let id: JSONFragment?
    /// The caller.
    public let peer: Peer
    let progress: ProgressReporter?
    let queue: CallQueue
    /// Receives the progress of a call from this process.
    var progressListener: (@Sendable (String) -> Void)?

    init(
        params: Params,
        givenParams: JSONValue?,
        id: JSONFragment?,
        peer: Peer,
        progress: ProgressReporter?,
        queue: CallQueue
    ) {
        self.params = params
        self.givenParams = givenParams
        self.id = id
        self.peer = peer
        self.progress = progress
        self.queue = queue
    }

    /// The same call with different parameters, for a method that forwards it to another one.
    public func with(_ params: Params) -> Call {
        var call = self
        call.params = params
        return call
    }

    /// Reports progress to the caller, if the caller wants it.
    public func report(_ message: String) {
        progress?.report(message)
        progressListener?(message)
    }

    /// Runs `change` after the earlier changes to the data in `access`, for a call that becomes a
    /// change while it runs (``Method/CallEffect/changesLater``). `access` is nil for all data.
    ///
    /// Throws -32800 without running `change` if the call is cancelled first.
    public func inTurn<T>(
        _ access: DataAccess? = nil,
        _ change: () async throws(RPCError) -> T
    ) async throws(RPCError) -> T {
        let slot = queue.reserveSlot(access)
        defer { queue.releaseSlot(slot) }
        queue.pauseCall()
        await slot.turn.waitUnlessCancelled()
        queue.resumeCall()
        if Task.isCancelled { throw .requestCancelled }
        return try await change()
    }

    /// Runs `wait`, which may take long, without counting as a running call
    /// (``RPCLimits/maximumRunning``).
    public func whileOthersRun<T>(
        _ wait: () async throws(RPCError) -> T
    ) async throws(RPCError) -> T {
        queue.pauseCall()
        defer { queue.resumeCall() }
        return try await wait()
    }

    /// Returns when the input ends, in time for a last reply, or when the caller cancels the call.
    public func untilEnd() async {
        queue.pauseCall()
        await queue.inputEnd.waitUnlessCancelled()
        queue.resumeCall()
    }
}
