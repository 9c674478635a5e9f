import Glibc
import NovaBlendCurl
import Synchronization

extension CurlLoop {
    /// What the thread does: it waits, and is at libcurl for what came.
    func wait(on poller: Int32, _ bell: Int32) {
        var events = [epoll_event](repeating: epoll_event(), count: 64)
        var count: Int32 = 0
        while true {
            let happened = events.prefix(Int(max(count, 0)))
            let (wait, next) = engine.withLock { engine in
                let wait = engine?.handle(happened) ?? -1
                return (wait, fallAsleep(&engine))
            }
            // Whoever found this thread at libcurl left its work in the inbox.
            serve()
            switch next {
            case .leave: return engine.withLock { stopWaiting(&$0) }
            case .network: count = epoll_wait(poller, &events, Int32(events.count), wait)
            case .bell:
                var descriptor = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
                poll(&descriptor, 1, wait)
                // What rang is silenced by the wait for the network.
                count = epoll_wait(poller, &events, Int32(events.count), 0)
            }
            inbox.withLock { $0.isAwake = true }
        }
    }

    private enum Next { case network, bell, leave }

    /// Empties the inbox for the last time before the wait, and tells what to wait for.
    private func fallAsleep(_ engine: inout CurlEngine?) -> Next {
        while true {
            let isQuiet = engine?.isQuiet == true
            let next = inbox.withLock { inbox -> Next? in
                inbox.isAwake = inbox.hasWork
                guard !inbox.isAwake else { return nil }
                inbox.isAside = isQuiet && !inbox.isFinished
                return inbox.isFinished ? .leave : isQuiet ? .bell : .network
            }
            if let next { return next }
            serve(&engine)
        }
    }

    /// Waits no more; the last one who does closes the descriptors.
    func stopWaiting(_ engine: inout CurlEngine?) {
        let isLast = inbox.withLock { inbox in
            inbox.waiters -= 1
            return inbox.waiters == 0
        }
        if isLast { engine = nil }
    }
}
