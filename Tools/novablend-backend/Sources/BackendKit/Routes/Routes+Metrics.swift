import BookingStorage
import Contract
import HTTPServing
import NovaBlendMetrics
import SystemSupport

extension Routes {
    /// Serves `GET /metrics` to Prometheus, on an address of its own that only this machine can
    /// reach. `connections` are those of the server whose requests these routes answer.
    func serveMetrics(
        at address: MetricsAddress,
        _ connections: @escaping @Sendable () -> ConnectionCounts
    ) throws(SystemError) -> HTTPServer {
        var limits = ServerLimits()
        limits.threads = 1
        limits.maximumConnections = 16
        return try HTTPServer(
            host: address.host,
            port: address.port,
            limits: limits,
            log: { [log] in log(.message($0)) },
            handler: { request in
                var response = await self.metrics(for: request, connections())
                response.headers["Cache-Control"] = "no-store"
                return response
            }
        )
    }

    private func metrics(
        for request: ServerRequest,
        _ connections: ConnectionCounts
    ) async -> ServerResponse {
        guard request.hasOwnHost else {
            let message = "the host must be localhost or a loopback address"
            return Problem(.foreignHost, message).response
        }
        guard request.path == "/metrics" else {
            return Problem(.notFound, "only /metrics exists here").response
        }
        guard ["GET", "HEAD"].contains(request.method) else {
            return Self.methodNotAllowed(["GET", "HEAD"]).response
        }
        var text = MetricsText()
        await writeMetrics(to: &text)
        Self.write(connections, to: &text)
        ProcessMetrics.write(to: &text)
        return ServerResponse(
            status: 200,
            headers: ["Content-Type": MetricsText.contentType],
            body: Array(text.text.utf8)
        )
    }

    private static func write(_ connections: ConnectionCounts, to text: inout MetricsText) {
        let metric = "novablend_http_connections"
        text.metric(metric, .gauge, "Connections that are open.", connections.open)
        let accepted = "Connections that were accepted."
        text.metric("\(metric)_accepted_total", .counter, accepted, connections.accepted)
        let rejected = "Connections that were answered with 503 because there were too many."
        text.metric("\(metric)_rejected_total", .counter, rejected, connections.rejected)
    }
}

/// The address on which the metrics are served. Only this machine can reach it.
public struct MetricsAddress: Sendable, Hashable {
    /// The IP address, or `localhost`.
    public let host: String
    /// The port, or 0 for any free port.
    public let port: UInt16

    /// Parses an address and a port, such as `127.0.0.1:9464` or `[::1]:9464`; nil if the text is
    /// something else or not a loopback address.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let (host, digits) = (text[..<colon], text[text.index(after: colon)...])
        // An IPv6 address without brackets looks the same with and without a port.
        guard !host.contains(":") || host.hasPrefix("["), HTTPServer.isLoopback(String(host)),
            digits.utf8.allSatisfy(\.isDigit), let port = UInt16(digits)
        else { return nil }
        (self.host, self.port) = (String(host), port)
    }
}
