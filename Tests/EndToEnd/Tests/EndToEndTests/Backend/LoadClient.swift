import Foundation
import SystemTestSupport

/// Sends requests over many connections at the same time, and records what was sent and answered.
///
/// With `n` connections, connection `i` sends the requests `i`, `i + n`, `i + 2n`, and so on, each
/// when it has received the response to the previous one. If a response announces the end of the
/// connection, a new connection takes its place. After a request without a response, a connection
/// sends nothing more.
struct LoadClient {
    struct Exchange: Sendable {
        let request: HTTPRequest
        /// How many requests had been sent before this one; nil if it was not sent as a whole.
        var sentAfter: Int?
        /// The response; nil if the connection ended first, or nothing arrived in time.
        var response: ReceivedResponse?
    }

    /// How many requests had been sent, and how many answered, when a response arrived.
    struct Progress {
        var sent: Int
        var answered: Int
    }

    var port: UInt16
    var connections: Int
    /// Seconds without any response after which the client gives up.
    var timeoutSeconds: Int32 = 60

    /// Sends the requests, and returns them in the same order with their responses. `onResponse`
    /// runs after each response; nothing is sent or received meanwhile.
    func run(
        _ requests: [HTTPRequest],
        onResponse: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async -> [Exchange] {
        await onThread {
            let run = LoadRun(port: port, connections: connections, requests: requests)
            while run.isWaiting, run.receive(within: timeoutSeconds, onResponse) {}
            return run.exchanges
        }
    }
}
