import Synchronization

/// The body of a request whose handler runs before the body has arrived.
final class IncomingBody: Sendable {
    private enum State {
        case unused
        /// The handler waits.
        case awaited(CheckedContinuation<[UInt8]?, Never>)
        /// No more of the body will arrive. The value is nil if the body was not received
        /// completely.
        case ended([UInt8]?)
    }

    private let state = Mutex(State.unused)

    /// Whether the handler waits for the body.
    var isAwaited: Bool {
        state.withLock { state in
            if case .awaited = state { true } else { false }
        }
    }

    /// The bytes; nil if the client did not send all of them.
    func bytes() async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            let ended: [UInt8]?? = state.withLock { state in
                if case .ended(let bytes) = state { return bytes }
                state = .awaited(continuation)
                return nil
            }
            if let ended { continuation.resume(returning: ended) }
        }
    }

    /// Gives the body to the handler, or nil if it will not arrive.
    func end(_ bytes: [UInt8]?) {
        let waiting = state.withLock { state in
            defer { state = .ended(bytes) }
            if case .awaited(let continuation) = state { return Optional(continuation) }
            return nil
        }
        waiting?.resume(returning: bytes)
    }
}
