import Foundation
import SystemTestSupport

/// A request as a server received it.
struct ReceivedRequest: Sendable {
    let method: String
    /// The path and the query.
    let target: String
    /// The values of the headers, by name in lower case.
    let headers: [String: String]
    let body: String
    /// The number of earlier requests on the same connection.
    let position: Int

    init(_ exchange: LoopbackServer.Exchange) {
        let lines = exchange.head.components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        method = words[0]
        target = words[1]
        let fields = lines.dropFirst().compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
            return (line[..<colon].lowercased(), value)
        }
        headers = Dictionary(fields) { first, _ in first }
        body = exchange.body
        position = exchange.position
    }

    var path: String { target.split(separator: "?").first.map(String.init) ?? target }

    var hasQuery: Bool { target.contains("?") }

    /// The idempotency key.
    var key: String? { headers["idempotency-key"] }
}
