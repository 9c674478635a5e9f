import HTTPServing
import NovaBlendMetrics

/// Serves `GET /metrics` to Prometheus, on an address of its own that only this machine can reach.
struct MetricsServer: Sendable {
    private let server: HTTPServer

    var port: UInt16 { server.port }

    /// `connections` are those of the server whose requests `routes` answers.
    init(
        _ address: MetricsAddress,
        _ routes: Routes,
        log: @escaping @Sendable (LogEntry) -> Void,
        connections: @escaping @Sendable () -> ConnectionCounts
    ) throws(HTTPServer.ListenError) {
        var limits = ServerLimits()
        limits.threads = 1
        limits.maximumConnections = 16
        server = try HTTPServer(
            host: address.host,
            port: address.port,
            limits: limits,
            log: { log(.message($0)) }
        ) {
            await Self.response(to: $0, routes, connections())
        }
    }

    func stop() { server.stop() }

    private static func response(
        to request: ServerRequest,
        _ routes: Routes,
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
            var problem = Problem(.methodNotAllowed, "only GET, HEAD")
            problem.headers["Allow"] = "GET, HEAD"
            return problem.response
        }
        var text = MetricsText()
        await routes.writeMetrics(to: &text)
        write(connections, to: &text)
        ProcessMetrics.write(to: &text)
        return ServerResponse(
            status: 200,
            headers: ["Content-Type": MetricsText.contentType, "Cache-Control": "no-store"],
            body: Array(text.text.utf8)
        )
    }

    private static func write(_ connections: ConnectionCounts, to text: inout MetricsText) {
        text.metric(
            "novablend_http_connections",
            .gauge,
            "Connections that are open.",
            connections.open
        )
        text.metric(
            "novablend_http_connections_accepted_total",
            .counter,
            "Connections that were accepted.",
            connections.accepted
        )
        text.metric(
            "novablend_http_connections_rejected_total",
            .counter,
            "Connections that were answered with 503 because there were too many.",
            connections.rejected
        )
    }
}
