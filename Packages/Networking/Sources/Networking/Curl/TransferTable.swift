import NovaBlendCurl

/// The transfers under way, and handles for the next ones. Used under the loop's lock alone.
final class TransferTable {
    private let multi: UnsafeMutableRawPointer
    private let configuration: CurlHTTPClient.Configuration
    private let watch: SocketWatch
    private let kept = KeptConnections()
    private var transfers: [UInt64: Transfer] = [:]
    /// Making a handle costs as much as using it: those of reads that went well are used again, as
    /// many as there are kept connections.
    private var spare: [Transfer] = []

    /// Below how many microseconds a transfer is quick; tests set it.
    var quickMicroseconds = 200
    /// How many transfers in a row were alone, went well and were quick.
    private(set) var quickOnes = 0

    init(
        _ multi: UnsafeMutableRawPointer,
        _ configuration: CurlHTTPClient.Configuration,
        _ watch: SocketWatch
    ) {
        (self.multi, self.configuration, self.watch) = (multi, configuration, watch)
    }

    func start(_ job: CurlLoop.Job) {
        guard let transfer = handle(for: job.request) else {
            return job.complete(.failure(Self.refusal))
        }
        do throws(HTTPClientError) {
            try transfer.prepare(job)
        } catch {
            return job.complete(.failure(error))
        }
        guard nb_curl_multi_add(multi, transfer.easy) == CURLM_OK else {
            return job.complete(.failure(Self.refusal))
        }
        if !transfers.isEmpty { quickOnes = 0 }
        transfers[job.id] = transfer
    }

    private static let refusal = HTTPClientError(.other, detail: "libcurl took no transfer")

    private func handle(for request: HTTPRequest) -> Transfer? {
        if Transfer.isPlain(request), let transfer = spare.popLast() { return transfer }
        return Transfer(configuration, kept, watch)
    }

    var isEmpty: Bool { transfers.isEmpty }

    func has(_ id: UInt64) -> Bool { transfers[id] != nil }

    func finish(_ id: UInt64, because reason: HTTPClientError.Reason) {
        guard let transfer = transfers.removeValue(forKey: id) else { return }
        nb_curl_multi_remove(multi, transfer.easy)
        transfer.finish(because: reason)
    }

    func finishAll(because reason: HTTPClientError.Reason) {
        for id in Array(transfers.keys) { finish(id, because: reason) }
    }

    /// Gives up the handles, before libcurl's own end.
    func discard() { (transfers, spare) = ([:], []) }

    /// Delivers what is done.
    func collect() {
        while let message = nb_curl_multi_info_read(multi) {
            var code = CURLE_OK
            guard let transfer = Transfer.of(nb_curl_done(message, &code)) else { continue }
            let isConnectionKept = transfer.isConnectionKept
            if !isConnectionKept { kept.note(after: transfer.easy) }
            let isQuick = code == CURLE_OK && transfer.microseconds < quickMicroseconds
            quickOnes = isQuick ? quickOnes &+ 1 : 0
            nb_curl_multi_remove(multi, transfer.easy)
            if let id = transfer.job?.id { transfers[id] = nil }
            transfer.finish(with: code)
            if code == CURLE_OK, isConnectionKept { save(transfer) }
        }
    }

    /// libcurl 7.88 counts over all that a handle ever does how often a kept connection turned out
    /// dead, and gives up at the sixth time: so only one that met none is used again.
    private func save(_ transfer: Transfer) {
        guard transfer.isPlain, spare.count < configuration.limits.maximumIdleConnections else {
            return
        }
        spare.append(transfer)
    }
}
