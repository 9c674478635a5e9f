import Foundation
import Synchronization
import SystemTestSupport

/// An HTTP proxy that forwards requests to the servers of a test, and may answer instead.
final class ForwardingProxy: Sendable {
    /// What the proxy does with a request.
    enum Action: Sendable {
        /// Forwards it, and returns the response.
        case forward
        /// Forwards it if `forwarding` is true, and returns its own response in any case.
        case answer(Int, body: String, headers: [String] = [], forwarding: Bool)
    }

    private let server: LoopbackServer
    private let lines: Requests
    var url: String { server.url }

    /// The request lines, in the order of arrival.
    var requestLines: [String] { lines.lines.withLock(\.self) }

    private final class Requests: Sendable {
        let lines = Mutex<[String]>([])
    }

    init(_ decide: @escaping @Sendable (ReceivedRequest) -> Action) throws {
        let requests = Requests()
        lines = requests
        server = try LoopbackServer(isRecording: false) { exchange in
            let line = exchange.head.components(separatedBy: "\r\n")[0]
            requests.lines.withLock { $0.append(line) }
            switch decide(ReceivedRequest(exchange)) {
            case .forward: if let response = Self.forward(exchange) { exchange.send(response) }
            case .answer(let status, let body, let headers, let isForwarding):
                if isForwarding { _ = Self.forward(exchange) }
                exchange.reply("\(status) Proxy", headers: headers, body: body)
            }
            exchange.end()
        }
    }

    /// Sends the request to its server, with the path in place of the URL. Returns the response; nil if
    /// there is none.
    private static func forward(_ exchange: LoopbackServer.Exchange) -> [UInt8]? {
        let words = exchange.head.split(separator: " ")
        guard let url = URL(string: String(words[1])), let port = url.port.flatMap(UInt16.init),
            let server = try? TCPConnection(port: port)
        else { return nil }
        let target = url.query().map { "\(url.path())?\($0)" } ?? url.path()
        let rest = exchange.request.dropFirst(words[0].count + 1 + words[1].count)
        server.send("\(words[0]) \(target)\(rest)")
        guard let response = server.response() else { return nil }
        return Array("\(response.head)\r\n\r\n".utf8) + response.body
    }
}
