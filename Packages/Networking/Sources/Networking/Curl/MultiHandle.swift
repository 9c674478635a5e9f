import NovaBlendCurl

/// A multi handle of libcurl with its transfers and sockets. Used by the thread that drives libcurl.
final class MultiHandle {
    let descriptors: PollDescriptors
    let transfers: TransferTable
    private let sockets: SocketTable
    private let handle: UnsafeMutableRawPointer
    private var schedule = WakeupSchedule(now: .now)

    /// Nil if the system or libcurl cannot create what it needs.
    init?(_ configuration: CurlHTTPClient.Configuration) {
        guard let descriptors = PollDescriptors(), let handle = nb_curl_multi_init() else {
            return nil
        }
        (self.descriptors, self.handle) = (descriptors, handle)
        sockets = SocketTable(descriptors)
        transfers = TransferTable(handle, configuration, sockets)
        let idle = configuration.limits.maximumIdleConnections
        nb_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, min(max(idle, 1), Int(Int32.max)))
        setUpSocketCallback()
    }

    private func setUpSocketCallback() {
        let context = Unmanaged.passUnretained(sockets).toOpaque()
        let callback: curl_socket_callback = { _, socket, what, context, _ in
            guard let context else { return 0 }
            let events: SocketEvents =
                switch what {
                case CURL_POLL_IN: .readable
                case CURL_POLL_OUT: .writable
                case CURL_POLL_INOUT: [.readable, .writable]
                default: []
                }
            let sockets = Unmanaged<SocketTable>.fromOpaque(context).takeUnretainedValue()
            sockets.setWanted(events, of: socket)
            return 0
        }
        nb_curl_multi_set_socket_callback(handle, callback, context)
    }

    deinit { nb_curl_multi_cleanup(handle) }

    /// Starts and ends transfers, and sends what can be sent without waiting.
    func perform(_ work: CurlLoop.State.Work) {
        for job in work.jobs {
            if work.cancelledIDs.contains(job.id) {
                job.complete(.failure(HTTPClientError(.cancelled)))
            } else {
                transfers.start(job)
            }
        }
        let timeout = performDueWork()
        for id in work.cancelledIDs { transfers.finish(id, because: .cancelled) }
        wakeLoopThread(ifSomethingIsDueIn: timeout)
    }

    /// Handles events on the loop thread. Returns how many milliseconds it may wait; negative means
    /// until an event.
    func handleBeforeWait(_ events: PollEvents) -> Int32 {
        let hadEvents = act(on: events)
        var timeout = performDueWork()
        // After events the thread waits at most a second, even with nothing to do. The next request
        // then has no earlier timeout, and need not wake the thread.
        if timeout < 0, hadEvents { timeout = 1_000 }
        schedule.setWait(milliseconds: timeout, now: .now)
        return Int32(clamping: timeout)
    }

    /// Handles events on a thread other than the loop thread.
    func handle(_ events: PollEvents) {
        _ = act(on: events)
        wakeLoopThread(ifSomethingIsDueIn: performDueWork())
    }

    /// Makes sure that the loop thread does what is due in `milliseconds`; negative means nothing is.
    private func wakeLoopThread(ifSomethingIsDueIn milliseconds: Int) {
        if milliseconds >= 0, schedule.mustWake(milliseconds: milliseconds, now: .now) {
            descriptors.wake()
        }
    }

    /// Reports events to libcurl. Returns false if there were none for it.
    private func act(on events: PollEvents) -> Bool {
        var hadEvents = false
        for (socket, events) in events.sockets where sockets.isWanted(socket) {
            nb_curl_multi_act(handle, socket, Self.selection(events))
            hadEvents = true
        }
        return hadEvents
    }

    /// Does what is due and delivers responses. Returns the milliseconds until something is due;
    /// negative if nothing is.
    private func performDueWork() -> Int {
        var timeout = nb_curl_multi_timeout(handle)
        // The first round may make more work due. The loop thread does what is due after the second.
        for _ in 0..<2 where timeout == 0 {
            nb_curl_multi_act(handle, CURL_SOCKET_BAD, 0)
            timeout = nb_curl_multi_timeout(handle)
        }
        transfers.deliverFinished()
        return timeout
    }

    private static func selection(_ events: SocketEvents) -> Int32 {
        var selection: Int32 = 0
        // libcurl learns of a failure by reading.
        if !events.isDisjoint(with: [.readable, .failed]) { selection |= CURL_CSELECT_IN }
        if events.contains(.writable) { selection |= CURL_CSELECT_OUT }
        return selection
    }
}
