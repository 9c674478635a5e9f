import Glibc
import NovaBlendCurl

/// libcurl's handles, and what they wait for. Used under the loop's lock alone.
final class CurlEngine {
    let watch: SocketWatch
    private let multi: UnsafeMutableRawPointer
    let table: TransferTable
    /// Until when the loop sleeps, in milliseconds of ``SystemTime``.
    private var sleepsUntil = 0

    init?(_ configuration: CurlHTTPClient.Configuration) {
        guard let watch = SocketWatch(), let multi = nb_curl_multi_init() else { return nil }
        (self.watch, self.multi) = (watch, multi)
        table = TransferTable(multi, configuration, watch)
        let kept = configuration.limits.maximumIdleConnections
        nb_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, min(max(kept, 1), Int(Int32.max)))
        setUpWatch()
    }

    private func setUpWatch() {
        let context = Unmanaged.passUnretained(watch).toOpaque()
        let tell: curl_socket_callback = { _, socket, what, context, _ in
            guard let context else { return 0 }
            let events: UInt32 =
                switch what {
                case CURL_POLL_IN: EPOLLIN.rawValue
                case CURL_POLL_OUT: EPOLLOUT.rawValue
                case CURL_POLL_INOUT: EPOLLIN.rawValue | EPOLLOUT.rawValue
                default: 0
                }
            Unmanaged<SocketWatch>.fromOpaque(context).takeUnretainedValue().want(socket, events)
            return 0
        }
        nb_curl_multi_set_watch(multi, tell, context)
    }

    deinit {
        table.discard()
        nb_curl_multi_cleanup(multi)
    }

    /// Begins and ends transfers, and sends what can be sent at once.
    func take(_ work: CurlLoop.Work) {
        for job in work.jobs {
            if work.cancelled.contains(job.id) {
                job.complete(.failure(HTTPClientError(.cancelled)))
            } else {
                table.start(job)
            }
        }
        let left = doWhatIsDue()
        for id in work.cancelled { table.finish(id, because: .cancelled) }
        wakeWhenDue(in: left)
    }

    /// Wakes the loop when it would sleep too long.
    private func wakeWhenDue(in left: Int) {
        if left >= 0, case let due = SystemTime.milliseconds + left, due < sleepsUntil {
            sleepsUntil = due
            watch.wake()
        }
    }

    /// Does what has become possible, and tells for how many milliseconds there is nothing more;
    /// less than 0 for as long as nothing comes.
    func handle(_ events: some Sequence<epoll_event>) -> Int32 {
        let hadWork = tell(events)
        var left = doWhatIsDue()
        // After work it sleeps for a second at most, with nothing to do too: the next request then
        // has no limit that ends sooner, and need not wake it.
        if left < 0, hadWork { left = 1_000 }
        sleepsUntil = left < 0 ? .max : SystemTime.milliseconds + left
        return Int32(clamping: left)
    }

    /// Does what has become possible, on another thread than the loop's.
    func act(on events: some Sequence<epoll_event>) {
        _ = tell(events)
        wakeWhenDue(in: doWhatIsDue())
    }

    /// Tells libcurl of events; false when none concerned it.
    private func tell(_ events: some Sequence<epoll_event>) -> Bool {
        var concern = false
        for event in events where watch.concernsLibrary(event.data.fd) {
            nb_curl_multi_act(multi, event.data.fd, Self.selection(event.events))
            concern = true
        }
        return concern
    }

    /// Whether no transfer is under way.
    var isIdle: Bool { table.isEmpty }
    /// Whether, besides, one at a time was answered at once, and so likely is the next.
    var isQuiet: Bool { table.isEmpty && table.quickOnes >= 16 }

    func isUnderWay(_ id: UInt64) -> Bool { table.has(id) }

    func finishAll() { table.finishAll(because: .closed) }

    /// Tells how many milliseconds are left until something is due; less than 0 when nothing is.
    private func doWhatIsDue() -> Int {
        var left = nb_curl_multi_timeout(multi)
        // A second round is for what the first made due; what is due then is left to the loop.
        for _ in 0..<2 where left == 0 {
            nb_curl_multi_act(multi, CURL_SOCKET_BAD, 0)
            left = nb_curl_multi_timeout(multi)
        }
        table.collect()
        return left
    }

    private static func selection(_ events: UInt32) -> Int32 {
        var selection: Int32 = 0
        // To read is how libcurl learns what is wrong with a connection.
        let toRead = EPOLLIN.rawValue | EPOLLERR.rawValue | EPOLLHUP.rawValue
        if events & toRead != 0 { selection |= CURL_CSELECT_IN }
        if events & EPOLLOUT.rawValue != 0 { selection |= CURL_CSELECT_OUT }
        return selection
    }
}
