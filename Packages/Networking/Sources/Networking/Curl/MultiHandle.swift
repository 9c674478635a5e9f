import NovaBlendCurl

/// A multi handle of libcurl with its transfers and sockets. Used only by the thread that drives
/// libcurl.
final class MultiHandle {
    let descriptors: PollDescriptors
    private let configuration: CurlHTTPClient.Configuration
    private let handle: UnsafeMutableRawPointer
    private let sockets: SocketTable
    private let idleConnections = IdleConnectionTracker()
    /// The transfers in flight.
    private(set) var transfers: [UInt64: Transfer] = [:]
    /// Transfers whose easy handles can be reused for plain requests, at most
    /// ``HTTPLimits/maximumIdleConnections``. Creating an easy handle costs as much as using it.
    private(set) var spare: [Transfer] = []
    private var schedule = WakeupSchedule(now: .now)
    var latency = LatencyTracker()

    /// Creates a multi handle; nil if the system cannot create the descriptors, or libcurl the
    /// handle.
    init?(_ configuration: CurlHTTPClient.Configuration) {
        guard let descriptors = PollDescriptors(), let handle = nb_curl_multi_init() else {
            return nil
        }
        (self.descriptors, self.handle) = (descriptors, handle)
        (self.configuration, sockets) = (configuration, SocketTable(descriptors))
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

    /// Whether no transfer is in flight, and the response to the next one is likely to be fast.
    var prefersInlinePolling: Bool { transfers.isEmpty && latency.isFast }

    /// Starts and cancels transfers, and sends what can be sent without waiting.
    func perform(_ work: CurlLoop.State.Work) {
        for job in work.jobs {
            if work.cancelledIDs.contains(job.id) {
                job.continuation.resume(returning: .failure(HTTPClientError(.cancelled)))
            } else {
                start(job)
            }
        }
        for id in work.resumedIDs {
            if let error = transfers[id]?.updatePauses() { finish(id, error) }
        }
        let (timeout, _) = performDueWork()
        for id in work.cancelledIDs { finish(id, because: .cancelled) }
        wakeLoopThread(ifDueIn: timeout)
    }

    /// Processes events on the loop thread. Returns how many milliseconds the thread may wait;
    /// negative means until an event.
    func processBeforeWait(_ events: PollEvents) -> Int32 {
        let (due, hadEvents) = performDueWork(after: events)
        // After events the thread waits at most a second, even if no timer is set. The timers of
        // the next request usually expire later, so its sender does not have to wake the thread.
        let timeout = due < 0 && hadEvents ? 1_000 : due
        schedule.setWait(milliseconds: timeout, now: .now)
        return Int32(clamping: timeout)
    }

    /// Processes events on a thread other than the loop thread.
    func process(_ events: PollEvents) {
        let (timeout, _) = performDueWork(after: events)
        wakeLoopThread(ifDueIn: timeout)
    }

    /// Wakes the loop thread if a timer expires before it stops waiting. Negative means no timer.
    private func wakeLoopThread(ifDueIn milliseconds: Int) {
        if milliseconds >= 0, schedule.mustWake(milliseconds: milliseconds, now: .now) {
            descriptors.wake()
        }
    }

    /// Reports events and expired timers to libcurl, and delivers responses. Returns the
    /// milliseconds until the next timer expires, which are negative without a timer, and whether
    /// libcurl was waiting for any of the events.
    private func performDueWork(
        after events: PollEvents? = nil
    ) -> (milliseconds: Int, hadEvents: Bool) {
        var hadEvents = false
        if let events {
            for (socket, events) in events.sockets where sockets.isWanted(socket) {
                var selection: Int32 = 0
                // libcurl notices a failure when it reads.
                if !events.isDisjoint(with: [.readable, .failed]) { selection |= CURL_CSELECT_IN }
                if events.contains(.writable) { selection |= CURL_CSELECT_OUT }
                nb_curl_multi_socket_action(handle, socket, selection)
                hadEvents = true
            }
        }
        var timeout = nb_curl_multi_timeout(handle)
        // The first round may set a timer that expires immediately. After the second round, such
        // timers are left to the loop thread.
        for _ in 0..<2 where timeout == 0 {
            nb_curl_multi_socket_action(handle, CURL_SOCKET_BAD, 0)
            timeout = nb_curl_multi_timeout(handle)
        }
        deliverFinished()
        return (timeout, hadEvents)
    }
}

/// The transfers in flight.
extension MultiHandle {
    private func start(_ job: CurlJob) {
        let reused = job.isPlain ? spare.popLast() : nil
        do throws(HTTPClientError) {
            guard let transfer = reused ?? Transfer(configuration, idleConnections, sockets) else {
                throw Self.notStarted
            }
            try transfer.prepare(job)
            guard nb_curl_multi_add_handle(handle, transfer.easy) == CURLM_OK else {
                throw Self.notStarted
            }
            if !transfers.isEmpty { latency.recordOverlap() }
            transfers[job.id] = transfer
        } catch {
            job.continuation.resume(returning: .failure(error))
        }
    }

    private static let notStarted = HTTPClientError(
        .other,
        detail: "libcurl could not start the transfer"
    )

    /// Delivers the results of the transfers that have finished, and saves their handles for the
    /// next plain requests.
    ///
    /// libcurl 7.88 counts the dead pooled connections that a handle encounters in its lifetime,
    /// and fails at the sixth. So only a handle that has encountered none is saved.
    private func deliverFinished() {
        while let message = nb_curl_multi_info_read(handle) {
            var code = CURLE_OK
            guard let transfer = Transfer.of(nb_curl_finished_transfer(message, &code)) else {
                continue
            }
            let usedPooledConnection = transfer.usesPooledConnection
            if !usedPooledConnection { idleConnections.insert(connectionOf: transfer.easy) }
            let microseconds = Int(transfer.elapsed(CURLINFO_TOTAL_TIME_T))
            latency.record(microseconds: microseconds, succeeded: code == CURLE_OK)
            nb_curl_multi_remove_handle(handle, transfer.easy)
            if let id = transfer.job?.id { transfers[id] = nil }
            transfer.finish(code == CURLE_OK ? nil : transfer.error(of: code))
            if code == CURLE_OK, usedPooledConnection, transfer.isPlain,
                spare.count < configuration.limits.maximumIdleConnections
            {
                spare.append(transfer)
            }
        }
    }

    /// Ends a transfer early; does nothing if it is not in flight.
    private func finish(_ id: UInt64, because reason: HTTPClientError.Reason) {
        guard let transfer = transfers[id] else { return }
        finish(id, HTTPClientError(reason, mayHaveBeenSent: transfer.progress.mayHaveSentRequest))
    }

    private func finish(_ id: UInt64, _ error: HTTPClientError) {
        guard let transfer = transfers.removeValue(forKey: id) else { return }
        nb_curl_multi_remove_handle(handle, transfer.easy)
        transfer.finish(error)
    }

    /// Ends all transfers early.
    func finishAll(because reason: HTTPClientError.Reason) {
        for id in Array(transfers.keys) { finish(id, because: reason) }
    }
}
