import Glibc
import NovaBlendCurl
import SystemSupport
import WebPrimitives

/// An easy handle of libcurl with its current transfer: the job, and the response so far. Used only
/// by the thread that drives the multi handle.
final class Transfer {
    let easy: UnsafeMutableRawPointer
    let configuration: CurlHTTPClient.Configuration
    private let idleConnections: IdleConnectionTracker
    let sockets: SocketTable
    private(set) var job: CurlJob?
    private(set) var head = ResponseHead()
    /// Why a callback stopped the transfer.
    var rejection: HTTPClientError.Reason?
    private var body: [UInt8] = []
    /// The largest memory in bytes that is reserved for a body before it arrives.
    private static let maximumReserve = 64 << 20
    /// What has been streamed. This is never reset, because a handle that has streamed is not
    /// reused.
    var streamed = StreamedPart()
    /// How far the transfer has come.
    private(set) var progress = TransferProgress()
    var headerLines: UnsafeMutablePointer<curl_slist>?
    let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    // What the handle is currently set up for.
    private(set) var url: String?
    private(set) var headers: HTTPHeaders?
    private(set) var stallTimeout: Duration?
    private(set) var hasMethod = false
    private(set) var isPlain = false
    var destination = DestinationCheck()

    /// Creates a transfer with an easy handle; nil if libcurl cannot create a handle.
    init?(
        _ configuration: CurlHTTPClient.Configuration,
        _ idleConnections: IdleConnectionTracker,
        _ sockets: SocketTable
    ) {
        guard let easy = nb_curl_easy_init() else { return nil }
        (self.easy, self.configuration) = (easy, configuration)
        (self.idleConnections, self.sockets) = (idleConnections, sockets)
        setUpConnection()
        setUpTLS()
        setUpCallbacks()
    }

    deinit {
        nb_curl_easy_cleanup(easy)
        nb_curl_slist_free_all(headerLines)
        errorText.deallocate()
    }

    /// Sets the handle up for a job.
    func prepare(_ job: CurlJob) throws(HTTPClientError) {
        let request = job.request
        if request.url != url { try setUpURL(of: request) }
        // 0 would mean no timeout.
        nb_curl_set_long(easy, CURLOPT_TIMEOUT_MS, max(job.timeout.milliseconds, 1))
        if request.stallTimeout != stallTimeout {
            stallTimeout = request.stallTimeout
            setUpTimeouts()
        }
        if request.headers != headers { setUpHeaders(of: job) }
        if !hasMethod { setUpMethod(of: job) }
        self.job = job
        (url, headers, hasMethod) = (request.url, request.headers, true)
        isPlain = job.isPlain
        errorText[0] = 0
    }

    /// The argument that libcurl passes to the callbacks.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// The transfer that libcurl passes to a callback, or with a message, as its context.
    static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Whether the transfer has not opened a connection of its own so far.
    var usesPooledConnection: Bool { count(CURLINFO_NUM_CONNECTS) == 0 }

    /// A count or a code that libcurl knows.
    func count(_ info: CURLINFO) -> Int {
        var value = 0
        nb_curl_get_long(easy, info, &value)
        return value
    }

    /// A time that libcurl measured, in microseconds.
    func elapsed(_ info: CURLINFO) -> curl_off_t {
        var microseconds: curl_off_t = 0
        nb_curl_get_off_t(easy, info, &microseconds)
        return microseconds
    }

    /// The response so far.
    var response: HTTPResponse {
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
        return response
    }

    /// Delivers the response or an error to the job's caller, and makes the handle ready for the
    /// next job.
    func finish(_ error: HTTPClientError?) {
        let (finished, response) = (job, response)
        (job, head, rejection, body) = (nil, ResponseHead(), nil, [])
        progress = TransferProgress()
        if !streamed.isHeadDelivered {
            finished?.continuation.resume(
                returning: error.map { .failure($0) } ?? .success(response)
            )
        }
        finished?.response?.end(error)
        finished?.upload?.end()
    }
}

/// The callbacks that libcurl calls during a transfer.
extension Transfer {
    private func setUpCallbacks() {
        nb_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
        for option in [
            CURLOPT_PRIVATE, CURLOPT_PREREQDATA, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA,
            CURLOPT_OPENSOCKETDATA,
        ] {
            nb_curl_set_pointer(easy, option, context)
        }
        nb_curl_set_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return Transfer.of(context)?.appendBody(buffer) == true ? buffer.count : 0
        }
        nb_curl_set_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return Transfer.of(context)?.appendHeaderLine(buffer) == true ? buffer.count : 0
        }
        nb_curl_set_prerequest_callback(easy) { context, remote, local, remotePort, localPort in
            guard let transfer = Transfer.of(context) else { return CURL_PREREQFUNC_OK }
            transfer.progress.beginRequest(lastSystemError: transfer.count(CURLINFO_OS_ERRNO))
            if transfer.usesPooledConnection, let remote, let local {
                transfer.idleConnections.shutDownIfReadable(
                    IdleConnectionTracker.Endpoints(remote, remotePort, local, localPort)
                )
            }
            return CURL_PREREQFUNC_OK
        }
        nb_curl_set_open_socket_callback(easy) { context, _, address in
            guard let transfer = Transfer.of(context), let address else { return CURL_SOCKET_BAD }
            return transfer.openSocket(address)
        }
        // The context is the socket table, not the transfer: a socket may outlive the transfer, but
        // no socket outlives the table.
        let table = Unmanaged.passUnretained(sockets).toOpaque()
        nb_curl_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, table)
        nb_curl_set_close_socket_callback(easy) { context, socket in
            guard let context else { return 1 }
            return Unmanaged<SocketTable>.fromOpaque(context).takeUnretainedValue().close(socket)
        }
    }

    /// Appends decompressed bytes; false stops the transfer.
    private func appendBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let stream = job?.response { return streamBody(bytes, to: stream) }
        let overall = configuration.limits.maximumBodyBytes
        let limit = min(job?.request.maximumResponseBytes ?? overall, overall)
        guard bytes.count <= limit - body.count else {
            rejection = .bodyTooLarge(limit: limit)
            return false
        }
        if body.isEmpty {
            // Reserve the announced length, so that appending does not copy the body. But the server
            // may announce any length, and the limit may be larger than the memory.
            var length: curl_off_t = 0
            nb_curl_get_off_t(easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length)
            if length > 0 { body.reserveCapacity(min(Int(length), limit, Self.maximumReserve)) }
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// Appends one line of the header; false stops the transfer.
    private func appendHeaderLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let limit = configuration.limits.maximumHeaderBytes
        guard head.append(bytes, limit: limit) else {
            rejection = .headersTooLarge(limit: limit)
            return false
        }
        if head.isComplete, job?.response != nil, !streamed.isHeadDelivered { deliverHead() }
        return true
    }

    /// Creates a socket if its address is allowed. The address is the last member of libcurl's
    /// structure and may extend beyond it.
    private func openSocket(_ pointer: UnsafePointer<curl_sockaddr>) -> Int32 {
        let (socket, offset) = (pointer.pointee, MemoryLayout<curl_sockaddr>.offset(of: \.addr))
        let address = offset.flatMap {
            let start = UnsafeRawPointer(pointer).advanced(by: $0)
            return IPAddress(start.assumingMemoryBound(to: sockaddr.self))
        }
        guard destination.allows(address) else { return CURL_SOCKET_BAD }
        let descriptor = sockets.open(socket.family, socket.socktype, socket.protocol)
        let failure = descriptor < 0 ? SystemError(code: errno) : nil
        progress.beginConnecting(earlier: count(CURLINFO_NUM_CONNECTS), failure)
        return descriptor
    }
}

/// The header section of a response, which libcurl delivers line by line (RFC 9112, section 2.1).
struct ResponseHead {
    private(set) var headers = HTTPHeaders()
    private(set) var isComplete = false
    private var size = 0
    /// Whether no line has arrived.
    var isEmpty: Bool { size == 0 }

    /// Appends one line; false if all lines together exceed `limit` bytes.
    mutating func append(_ line: UnsafeRawBufferPointer, limit: Int) -> Bool {
        size += line.count
        guard size <= limit else { return false }
        if line.starts(with: "HTTP/".utf8) {
            // The fields of an interim response are not part of the final one.
            (headers, isComplete) = (HTTPHeaders(), false)
        } else if isComplete {
            // Trailers are not part of the header section (RFC 9110, section 6.5.1).
        } else if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
            headers.fold(Self.trimmed(line, 0..<line.count))
        } else if Self.trimmed(line, 0..<line.count).isEmpty {
            isComplete = true
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            headers.add(Self.trimmed(line, 0..<colon), Self.trimmed(line, colon + 1..<line.count))
        }
        return true
    }

    private static func trimmed(
        _ line: UnsafeRawBufferPointer,
        _ range: Range<Int>
    ) -> UnsafeRawBufferPointer {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, line[start] <= 0x20 { start += 1 }
        while start < end, line[end - 1] <= 0x20 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: line[start..<end])
    }
}

/// What a transfer has streamed so far.
struct StreamedPart {
    /// Whether the job's caller has received the head of the response.
    var isHeadDelivered = false
    /// The size of the decompressed body so far.
    var byteCount = 0
}

/// Bodies in chunks. libcurl is paused while a reader or sender is not ready.
extension Transfer {
    /// Sets the options for sending a streamed body. Without a length, HTTP/1.1 sends the body in
    /// chunks (RFC 9112, section 7.1).
    func setUpUpload(length: Int?) {
        nb_curl_set_long(easy, CURLOPT_UPLOAD, 1)
        nb_curl_set_off_t(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(length ?? -1))
        nb_curl_set_pointer(easy, CURLOPT_READDATA, context)
        nb_curl_set_callback(easy, CURLOPT_READFUNCTION) { bytes, size, count, context in
            let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
            return Transfer.of(context)?.readUpload(into: buffer) ?? Int(CURL_READFUNC_ABORT)
        }
    }

    /// Sets the options for receiving a streamed body. If the server was asked not to compress the
    /// body, nothing is decoded, so what libcurl reads at once cannot become larger. Then libcurl
    /// may read as much as the stream's buffer holds.
    func setUpStream(of request: HTTPRequest) {
        guard request.asksForUnencodedBody else { return }
        nb_curl_set_long(easy, CURLOPT_HTTP_CONTENT_DECODING, 0)
        nb_curl_set_long(easy, CURLOPT_BUFFERSIZE, ResponseBuffer.capacity)
    }

    /// Pauses and resumes each direction as its buffer requires. Returns an error if the transfer
    /// must end.
    ///
    /// libcurl buffers what it decompressed after a pause, and delivers it during the call that
    /// resumes. If a callback then fails, libcurl does not end the transfer, so the caller must.
    func updatePauses() -> HTTPClientError? {
        let isStarved = job?.upload?.isStarved == true
        // While the sender prepares its next chunk, the server has nothing to respond to.
        if job?.upload != nil { setStallTimeout(isEnforced: !isStarved) }
        let code = nb_curl_easy_pause(easy, job?.response?.isFull == true, isStarved)
        // `CURLE_BAD_FUNCTION_ARGUMENT` means that the transfer has no connection, so nothing is
        // paused.
        return code == CURLE_OK || code == CURLE_BAD_FUNCTION_ARGUMENT ? nil : error(of: code)
    }

    /// Delivers the complete head of the final response.
    func deliverHead() {
        let response = response
        // An interim response, or that of a proxy to CONNECT, comes before the final one.
        guard response.status >= 200 else { return }
        streamed.isHeadDelivered = true
        job?.continuation.resume(returning: .success(response))
    }

    /// Passes decompressed bytes to the reader; false stops the transfer.
    func streamBody(_ bytes: UnsafeRawBufferPointer, to buffer: ResponseBuffer) -> Bool {
        let limit = job?.request.maximumResponseBytes ?? configuration.limits.maximumBodyBytes
        guard streamed.byteCount + bytes.count <= limit else {
            rejection = .bodyTooLarge(limit: limit)
            return false
        }
        streamed.byteCount += bytes.count
        buffer.append(bytes)
        return !buffer.isFull || updatePauses() == nil
    }

    /// Copies the next bytes of the request's body. Returns their number, or an instruction to
    /// libcurl.
    private func readUpload(into bytes: UnsafeMutableRawBufferPointer) -> Int {
        switch job?.upload?.read(into: bytes) {
        case .bytes(let count): return count
        case .end: return 0
        case .wait:
            setStallTimeout(isEnforced: false)
            return Int(CURL_READFUNC_PAUSE)
        case .failed, nil:
            rejection = .uploadFailed
            return Int(CURL_READFUNC_ABORT)
        }
    }
}
