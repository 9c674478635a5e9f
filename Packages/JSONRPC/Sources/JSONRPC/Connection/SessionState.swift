/// The state machine of a ``Session``, as LSP 3.17 defines it ("Lifecycle Messages").
enum SessionState {
    /// Requests are accepted. `watchedProcess` is the first process that an `initialize` named.
    case serving(watchedProcess: Int32?)
    /// `shutdown` was received, after which only `exit` is accepted.
    case shutDown

    var isShutDown: Bool { if case .shutDown = self { true } else { false } }

    /// The exit code of the process after `exit` was received.
    var exitCode: Int32 { isShutDown ? 0 : 1 }

    /// Records the process that an `initialize` named; true if it should be watched. Only one
    /// process is watched, because each watch needs a thread and a descriptor.
    mutating func initialize(processID: Int32) -> Bool {
        guard case .serving(watchedProcess: nil) = self, processID > 1 else { return false }
        self = .serving(watchedProcess: processID)
        return true
    }

    mutating func shutdown() { self = .shutDown }
}
