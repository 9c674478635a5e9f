import CCurl

/// One transfer: its handle, what arrived so far, and who waits for it. The loop's thread alone
/// has it.
final class Transfer {
    let easy: UnsafeMutableRawPointer
    let job: CurlLoop.Job
    private let kept: KeptConnections
    private(set) var head = ResponseHead()
    private(set) var refusal: HTTPClientError.Reason?
    private var body: [UInt8] = []
    private var lines: UnsafeMutablePointer<curl_slist>?
    private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init?(_ job: CurlLoop.Job, _ kept: KeptConnections) {
        guard let easy = nb_curl_easy_init() else { return nil }
        self.easy = easy
        self.job = job
        self.kept = kept
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        setUpLimits()
        setUpConnection()
        setUpRequest()
        setUpCallbacks()
    }

    deinit {
        nb_curl_easy_cleanup(easy)
        nb_curl_slist_free_all(lines)
        errorText.deallocate()
    }

    /// Adds a line to the head of the request; to be set when all are there.
    func append(_ line: String) {
        if let longer = nb_curl_slist_append(lines, line) { lines = longer }
        nb_curl_set_pointer(easy, CURLOPT_HTTPHEADER, lines)
    }

    private func setUpCallbacks() {
        let context = Unmanaged.passUnretained(self).toOpaque()
        nb_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
        for option in [CURLOPT_PRIVATE, CURLOPT_PREREQDATA, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA] {
            nb_curl_set_pointer(easy, option, context)
        }
        nb_curl_set_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return Transfer.of(context)?.takeBody(buffer) == true ? buffer.count : 0
        }
        nb_curl_set_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return Transfer.of(context)?.takeHeader(buffer) == true ? buffer.count : 0
        }
        nb_curl_set_before(easy) { context, remote, local, remotePort, localPort in
            if let transfer = Transfer.of(context), let remote, let local {
                let ends = KeptConnections.Ends(remote, remotePort, local, localPort)
                transfer.kept.check(ends, before: transfer.easy)
            }
            return CURL_PREREQFUNC_OK
        }
    }

    /// The transfer that a callback, or a message, is about.
    static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Takes a piece of the body, decompressed; false ends the transfer.
    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let overall = job.configuration.limits.maximumBodyBytes
        let limit = min(job.request.maximumResponseBytes ?? overall, overall)
        guard bytes.count <= limit - body.count else {
            refusal = .bodyTooLarge(limit: limit)
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// Takes one line of the headers; false ends the transfer.
    private func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let limit = job.configuration.limits.maximumHeaderBytes
        guard head.take(bytes, limit: limit) else {
            refusal = .headersTooLarge(limit: limit)
            return false
        }
        return true
    }

    /// Ends it from outside.
    func finish(because reason: HTTPClientError.Reason) {
        job.completion(.failure(HTTPClientError(reason, mayHaveBeenSent: wasBegun)))
    }

    /// Ends it with libcurl's result.
    func finish(with code: CURLcode) {
        guard code == CURLE_OK else {
            let words = errorText[0] == 0 ? nb_curl_easy_strerror(code) : UnsafePointer(errorText)
            let error = HTTPClientError(
                refusal ?? reason(of: code),
                mayHaveBeenSent: wasBegun,
                detail: refusal == nil ? words.map { String(cString: $0) } ?? "" : ""
            )
            job.completion(.failure(error))
            return
        }
        var status = 0
        nb_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        job.completion(
            .success(
                HTTPResponse(
                    status: status,
                    headers: head.headers,
                    body: body,
                    url: job.request.url
                )
            )
        )
    }
}
