import NovaBlendCurl

/// A handle of libcurl: the transfer that it makes, what arrived so far, and who waits for it. Used
/// under the loop's lock alone.
final class Transfer {
    let easy: UnsafeMutableRawPointer
    let configuration: CurlHTTPClient.Configuration
    private let kept: KeptConnections
    let watch: SocketWatch
    private(set) var job: CurlLoop.Job?
    private(set) var head = ResponseHead()
    private(set) var refusal: HTTPClientError.Reason?
    private var body: [UInt8] = []
    private var lines: UnsafeMutablePointer<curl_slist>?
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    // What libcurl was told last.
    private(set) var url: String?
    private(set) var headers: HTTPHeaders?
    private(set) var hasMethod = false
    private(set) var isPlain = false
    /// Where the connection may lead.
    var destination = DestinationCheck()

    init?(
        _ configuration: CurlHTTPClient.Configuration,
        _ kept: KeptConnections,
        _ watch: SocketWatch
    ) {
        guard let easy = nb_curl_easy_init() else { return nil }
        self.easy = easy
        (self.configuration, self.kept, self.watch) = (configuration, kept, watch)
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        setUpLimits()
        setUpConnection()
        setUpCallbacks()
        setUpSockets()
    }

    deinit {
        nb_curl_easy_cleanup(easy)
        nb_curl_slist_free_all(lines)
        errorText.deallocate()
    }

    /// Gets ready for a transfer.
    func prepare(_ job: CurlLoop.Job) throws(HTTPClientError) {
        try setUp(job.request, timeout: job.timeout)
        self.job = job
        (url, headers, hasMethod) = (job.request.url, job.request.headers, true)
        isPlain = Self.isPlain(job.request)
        errorText[0] = 0
    }

    /// Puts other lines into the head of the request.
    func replaceLines(by texts: [String]) {
        nb_curl_slist_free_all(lines)
        lines = nil
        for text in texts {
            if let longer = nb_curl_slist_append(lines, text) { lines = longer }
        }
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
            if let transfer = Transfer.of(context), transfer.isConnectionKept, let remote, let local
            {
                transfer.kept.check(KeptConnections.Ends(remote, remotePort, local, localPort))
            }
            return CURL_PREREQFUNC_OK
        }
    }

    /// The transfer that a callback, or a message, is about.
    static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether it made no connection so far, but uses one that was there.
    var isConnectionKept: Bool {
        var connects = 0
        nb_curl_get_long(easy, CURLINFO_NUM_CONNECTS, &connects)
        return connects == 0
    }

    /// Takes a piece of the body, decompressed; false ends the transfer.
    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let overall = configuration.limits.maximumBodyBytes
        let limit = min(job?.request.maximumResponseBytes ?? overall, overall)
        guard bytes.count <= limit - body.count else {
            refusal = .bodyTooLarge(limit: limit)
            return false
        }
        if body.isEmpty { reserve(atMost: limit) }
        body.append(contentsOf: bytes)
        return true
    }

    /// Makes room for a body that says how long it is, so that it is not copied as it grows.
    private func reserve(atMost limit: Int) {
        var length: curl_off_t = 0
        nb_curl_get_offset(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length)
        if length > 0 { body.reserveCapacity(min(Int(length), limit)) }
    }

    /// Takes one line of the headers; false ends the transfer.
    private func takeHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let limit = configuration.limits.maximumHeaderBytes
        guard head.take(bytes, limit: limit) else {
            refusal = .headersTooLarge(limit: limit)
            return false
        }
        return true
    }

    /// Ends it from outside.
    func finish(because reason: HTTPClientError.Reason) {
        end(.failure(HTTPClientError(reason, mayHaveBeenSent: wasBegun)))
    }

    /// Ends it with libcurl's result.
    func finish(with code: CURLcode) {
        guard code == CURLE_OK else {
            return end(.failure(error(of: code)))
        }
        var status = 0
        nb_curl_get_long(easy, CURLINFO_RESPONSE_CODE, &status)
        var response = HTTPResponse(
            status: status,
            headers: head.headers,
            body: body,
            url: url ?? ""
        )
        if job?.request.wantsCertificateExpiry == true {
            response.certificateExpiry = certificateExpiry
        }
        end(.success(response))
    }

    /// Keeps nothing of the transfer: the handle may go on to another.
    private func end(_ result: Result<HTTPResponse, HTTPClientError>) {
        let ended = job
        (job, head, refusal, body) = (nil, ResponseHead(), nil, [])
        ended?.complete(result)
    }
}
