import Foundation
import SystemTestSupport
import Testing

/// A response from the backend.
struct Response: Sendable {
    var status: Int
    var head: Substring
    var body: String

    /// The value of a header field. `name` must be lowercase.
    func header(_ name: String) -> String? {
        let lines = head.split(separator: "\r\n")
        let line = lines.first { $0.lowercased().hasPrefix(name + ": ") }
        return line.map { String($0.dropFirst(name.count + 2)) }
    }

    /// The query of the next page; nil if this is the last one.
    func nextQuery() throws -> Substring? {
        guard let link = header("link") else { return nil }
        return try #require(link.wholeMatch(of: /<\?([!-~]*)>; rel="next"/)).output.1
    }
}

/// Sends a request on a new TCP connection and returns the response; nil if the connection fails. The
/// body has its real length unless `length` says otherwise.
func exchange(
    _ port: UInt16,
    _ line: String,
    headers: [String] = [],
    body: String = "",
    length: Int? = nil
) -> Response? {
    guard let connection = try? TCPConnection(port: port) else { return nil }
    let host = headers.contains { $0.hasPrefix("Host:") } ? [] : ["Host: localhost"]
    let length = "Content-Length: \(length ?? body.utf8.count)"
    let fields = host + ["Connection: close", length] + headers
    let request = "\(line) HTTP/1.1\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n" + body
    connection.send(request)
    let text = connection.remainder()
    guard let split = text.range(of: "\r\n\r\n"), let status = Int(text.dropFirst(9).prefix(3))
    else {
        return nil
    }
    return Response(
        status: status,
        head: text[..<split.lowerBound],
        body: String(text[split.upperBound...])
    )
}

/// Sends all requests at the same time, each from its own thread, and returns the responses in the
/// order of the requests.
func concurrentResponses(_ requests: [@Sendable () -> Response?]) async -> [Response?] {
    // The threads start here and not in tasks, which wait while other tests block the threads of tasks.
    let (received, continuation) = AsyncStream.makeStream(of: (Int, Response?).self)
    for (index, request) in requests.enumerated() {
        Thread.detachNewThread { continuation.yield((index, request())) }
    }
    var responses = [Response?](repeating: nil, count: requests.count)
    for await (index, response) in received.prefix(requests.count) { responses[index] = response }
    return responses
}

/// Waits until an appointment has changed since a cursor. Repeats the request if 25 s pass without
/// a change, as they can on a busy machine.
func nextAppointments(_ port: UInt16, since cursor: String) -> Response? {
    while true {
        let response = exchange(port, "GET /changes?since=\(cursor)&wait=25")
        if response?.body.contains(#""appointments":[]"#) != true { return response }
    }
}
