import Networking

/// Sends a request without a body. Retries it if that is safe and helpful, shares the responses to equal
/// requests, and stops asking a server that fails repeatedly.
func send(
    _ method: String,
    _ url: String,
    with transport: CurlHTTPClient
) async throws(HTTPClientError) {
    guard let method = HTTPMethod(method) else {
        throw HTTPClientError(.other, detail: "\(method) is not a method")
    }
    let retrying = RetryingHTTPClient(transport)
    let client = CoalescingHTTPClient(CircuitBreakingHTTPClient(retrying))

    var request = HTTPRequest(method: method, url: url, headers: ["Accept": "*/*"])
    request.totalTimeout = .seconds(10)
    let response = try await client.send(request)
    print("status \(response.status), \(response.body.count) bytes, headers \(response.headers)")
}

/// Counts the lines of a body, which need not fit in memory.
func countLines(
    of url: String,
    with client: any StreamingHTTPClient
) async throws(HTTPClientError) {
    var request = HTTPRequest(method: .get, url: url)
    request.totalTimeout = .seconds(3_600)
    request.maximumResponseBytes = .max
    let stream = try await client.stream(request)
    guard stream.head.status == 200 else {
        throw HTTPClientError(.unexpectedStatus(stream.head.status), mayHaveBeenSent: true)
    }
    var lines = 0
    for try await chunk in stream {
        lines += chunk.count { $0 == UInt8(ascii: "\n") }
    }
    print("\(lines) lines")
}

/// Uploads a file, which need not fit in memory.
func upload(
    _ path: String,
    to url: String,
    with client: CurlHTTPClient
) async throws(HTTPClientError) {
    let printer = ProgressPrinter(path)
    let file = try HTTPUpload(file: path) { printer.show($0) }
    var request = HTTPRequest(method: .put, url: url)
    request.totalTimeout = .seconds(3_600)
    let response = try await client.send(request, uploading: file)
    print("status \(response.status)")
}
