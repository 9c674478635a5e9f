/// Learns about the messages and calls of a ``Connection``, for logs, metrics, and traces.
///
/// The observer is a class, so that a connection without an observer only compares a pointer with
/// nil. Every method has a default implementation, which does nothing. The methods are called by
/// the threads that read and send messages and by the tasks of calls, so they must not block.
public protocol CallObserver: AnyObject, Sendable {
    /// Called when a call or notification from the peer has ended. The reply is sent afterwards.
    ///
    /// Calls that were rejected, such as those of unknown methods, are reported, too. A call that was
    /// cancelled before its handler started is not.
    func didHandle(_ call: CompletedCall)

    /// Called when this side's call of a method of the peer has ended: it got its response, was
    /// cancelled, timed out, or failed because the connection ended.
    func didCall(_ call: CompletedCall)

    /// Called when a message has arrived. `message` is without its framing.
    func didReceive(_ message: [UInt8])

    /// Called when a message is sent. `message` is without its framing.
    func didSend(_ message: [UInt8])
}

extension CallObserver {
    /// Does nothing.
    public func didHandle(_ call: CompletedCall) {}
    /// Does nothing.
    public func didCall(_ call: CompletedCall) {}
    /// Does nothing.
    public func didReceive(_ message: [UInt8]) {}
    /// Does nothing.
    public func didSend(_ message: [UInt8]) {}
}

/// A call or a notification that has ended.
public struct CompletedCall: Sendable, Hashable {
    /// The name of the method.
    public var method: String
    /// The time from the arrival of the call, or from sending it, to its end. It includes the time in
    /// which the call waited for earlier changes.
    public var duration: Duration
    /// Why the call failed; nil if it succeeded.
    public var error: RPCError?
}
