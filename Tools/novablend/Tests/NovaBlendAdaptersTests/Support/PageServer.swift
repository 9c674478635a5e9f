import Foundation
import SystemTestSupport

/// A server on a real socket that responds as a test specifies, and records the requests.
final class PageServer: Sendable {
    struct Response: Sendable {
        /// 0 if the connection is closed without a response.
        var status = 200
        var headers: [String] = []
        var body = ""
    }

    private let server: LoopbackServer
    var origin: String { server.url }

    /// The heads of the requests in the order of arrival.
    var heads: [String] {
        server.requests.map { $0.components(separatedBy: "\r\n\r\n")[0] + "\r\n" }
    }
    /// The bodies of the requests in the order of arrival.
    var bodies: [String] {
        server.requests.map { $0.components(separatedBy: "\r\n\r\n").dropFirst().joined() }
    }
    /// The path and query of each request.
    var targets: [String] { heads.map { String($0.split(separator: " ")[1]) } }

    init(_ respond: @escaping @Sendable (_ target: String, _ head: String) -> Response) throws {
        server = try LoopbackServer { exchange in
            let response = respond(exchange.path, exchange.head)
            if response.status == 0 { return exchange.end() }
            exchange.reply(
                "\(response.status) X",
                headers: ["Connection: close"] + response.headers,
                body: response.body
            )
            exchange.end()
        }
    }
}
