import NovaBlendCurl

/// The transfers in flight, and easy handles for the next ones. Used by the thread that drives
/// libcurl.
final class TransferTable {
    private let multi: UnsafeMutableRawPointer
    private let configuration: CurlHTTPClient.Configuration
    private let sockets: SocketTable
    private let idleConnections = IdleConnectionTracker()
    private var transfers: [UInt64: Transfer] = [:]
    /// Handles of finished plain requests, at most as many as idle connections. Creating a handle
    /// costs as much as using it.
    private(set) var spare: [Transfer] = []
    var latency = LatencyTracker()

    init(
        _ multi: UnsafeMutableRawPointer,
        _ configuration: CurlHTTPClient.Configuration,
        _ sockets: SocketTable
    ) {
        (self.multi, self.configuration, self.sockets) = (multi, configuration, sockets)
    }

    var isEmpty: Bool { transfers.isEmpty }

    func contains(_ id: UInt64) -> Bool { transfers[id] != nil }

    /// Whether no transfer is in flight, and the response to the next one is likely to be fast.
    var prefersInlinePolling: Bool { transfers.isEmpty && latency.isFast }

    func start(_ job: CurlJob) {
        guard let transfer = handle(for: job.request) else {
            return job.complete(.failure(Self.notStarted))
        }
        do throws(HTTPClientError) {
            try transfer.prepare(job)
        } catch {
            return job.complete(.failure(error))
        }
        guard nb_curl_multi_add(multi, transfer.easy) == CURLM_OK else {
            return job.complete(.failure(Self.notStarted))
        }
        if !transfers.isEmpty { latency.recordOverlap() }
        transfers[job.id] = transfer
    }

    private static let notStarted = HTTPClientError(
        .other,
        detail: "libcurl could not start the transfer"
    )

    private func handle(for request: HTTPRequest) -> Transfer? {
        if Transfer.isPlain(request), let transfer = spare.popLast() { return transfer }
        return Transfer(configuration, idleConnections, sockets)
    }

    /// Ends a transfer early; does nothing if it is not in flight.
    func finish(_ id: UInt64, because reason: HTTPClientError.Reason) {
        guard let transfer = transfers.removeValue(forKey: id) else { return }
        nb_curl_multi_remove(multi, transfer.easy)
        transfer.finish(because: reason)
    }

    func finishAll(because reason: HTTPClientError.Reason) {
        for id in Array(transfers.keys) { finish(id, because: reason) }
    }

    /// Delivers the results of the transfers that have finished.
    func deliverFinished() {
        while let message = nb_curl_multi_info_read(multi) {
            var code = CURLE_OK
            guard let transfer = Transfer.of(nb_curl_done(message, &code)) else { continue }
            let usedPooledConnection = transfer.usesPooledConnection
            if !usedPooledConnection { idleConnections.insert(connectionOf: transfer.easy) }
            latency.record(microseconds: Int(transfer.microseconds), succeeded: code == CURLE_OK)
            nb_curl_multi_remove(multi, transfer.easy)
            if let id = transfer.job?.id { transfers[id] = nil }
            transfer.finish(with: code)
            if code == CURLE_OK, usedPooledConnection { save(transfer) }
        }
    }

    /// Saves the handle of a request for the next one.
    ///
    /// libcurl 7.88 counts the dead pooled connections that a handle met in its whole life, and gives
    /// up at the sixth. So only a handle that met none is saved.
    private func save(_ transfer: Transfer) {
        guard transfer.isPlain, spare.count < configuration.limits.maximumIdleConnections else {
            return
        }
        spare.append(transfer)
    }
}
