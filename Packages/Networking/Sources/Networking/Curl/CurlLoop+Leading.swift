import NovaBlendCurl
import Synchronization

extension CurlLoop {
    /// How long a thread that brought a request waits for a piece of the answer, and how often.
    private static let (microseconds, turns) = (100, 8)

    /// The descriptors at which to wait.
    struct Place { let poller, bell: Int32 }

    /// Sees to it that somebody waits for what is under way: the caller, when it is the place that
    /// comes back, or the thread.
    func appointWaiter(at engine: CurlEngine, _ id: UInt64?) -> Place? {
        guard !engine.isIdle else { return nil }
        return inbox.withLock { inbox in
            guard inbox.isAside, !inbox.isLed else { return nil }
            if let id, engine.isUnderWay(id) {
                (inbox.isLed, inbox.waiters) = (true, inbox.waiters + 1)
                inbox.leadCount += 1
                return Place(poller: engine.watch.poller, bell: engine.watch.bell)
            }
            inbox.isAside = false
            engine.watch.wake()
            return nil
        }
    }

    /// Waits for the answer on the thread that sent the request, for a moment, when remotes answer
    /// at once and nobody else is waiting: then no other thread is woken for it. What is not
    /// answered by then is left to the thread that waits.
    ///
    /// This blocks a thread of the concurrency runtime, which has few: so only when the last
    /// transfer took hardly longer (``CurlEngine/isQuiet``), and never for long.
    func lead(_ id: UInt64, at place: Place) {
        for turn in 1...Self.turns {
            let isOver = !receive(id, at: place, mayGoOn: turn < Self.turns)
            // Whoever found this thread at libcurl left its work in the inbox.
            serve()
            if isOver { return }
        }
    }

    /// Takes what comes next; false when there is no more to wait for here.
    private func receive(_ id: UInt64, at place: Place, mayGoOn: Bool) -> Bool {
        var events = [epoll_event](repeating: epoll_event(), count: 16)
        let count = nb_epoll_wait_microseconds(place.poller, &events, 16, Self.microseconds)
        let happened = events.prefix(Int(max(count, 0)))
        // What rang is for the thread that waits, which takes over.
        let isToGoOn = mayGoOn && count > 0 && !happened.contains { $0.data.fd == place.bell }
        return engine.withLock { engine in
            engine?.act(on: happened.filter { $0.data.fd != place.bell })
            if isToGoOn, engine?.isUnderWay(id) == true { return true }
            inbox.withLock { $0.isLed = false }
            _ = engine.flatMap { appointWaiter(at: $0, nil) }
            stopWaiting(&engine)
            return false
        }
    }
}
