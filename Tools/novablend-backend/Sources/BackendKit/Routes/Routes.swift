import BookingStorage
import Contract
import Domain
import HTTPServing
import NovaBlendMetrics
import Synchronization
import WebPrimitives

/// Answers requests by the routes in one table.
final class Routes: Sendable {
    let store: any BookingStore
    let zones: any ZoneSource
    let clock: any WallClock
    let document: OpenAPIDocument
    /// Whether the backend is about to stop. Proxies must then send it no new requests.
    let isStopping = Atomic(false)
    let changeFeed: ChangeFeed
    let healthCheck: HealthCheck
    let authorization: Authorization
    /// How many appointments each customer may have at all salons together.
    let customerLimits: CustomerLimits
    private let table: RouteTable
    private let zoneCheck: ZoneCheck
    private let failures: FailureLog
    private let metrics: RequestMetrics
    private let requestIDs = RequestIDs()
    private let logsRequests: Bool
    let log: @Sendable (LogEntry) -> Void

    init(
        store: any BookingStore,
        lists: [ServedList],
        zones: any ZoneSource,
        hasTokens: Bool,
        requestsPerSecond: Int,
        customerLimits: CustomerLimits,
        clock: any WallClock,
        maximumWaitingClients: Int,
        logsRequests: Bool,
        log: @escaping @Sendable (LogEntry) -> Void
    ) {
        self.store = store
        self.zones = zones
        self.clock = clock
        self.customerLimits = customerLimits
        self.logsRequests = logsRequests
        self.log = log
        let zoneCheck = ZoneCheck(zones: zones, log: log)
        self.zoneCheck = zoneCheck
        changeFeed = ChangeFeed(store: store, maximumWaiting: maximumWaitingClients) {
            ServedChanges.encode($0, for: $1, salon: zoneCheck.withKnownZone)
        }
        authorization = Authorization(
            store: store,
            hasTokens: hasTokens,
            requestsPerSecond: requestsPerSecond,
            clock: clock
        )
        healthCheck = HealthCheck(store.checkHealth)
        failures = FailureLog(clock: clock, log: log)
        table = Self.table(lists: lists)
        document = OpenAPIDocument(of: table)
        metrics = RequestMetrics(table.routes)
    }

    /// All routes. A list must not have the path of another route.
    static func table(lists: [ServedList]) -> RouteTable {
        RouteTable(
            salons + conflicts + availability + appointments + changes + holds + keys + feed
                + lists.map(\.route) + images + service + health
        )
    }

    /// The response to a request. Errors become responses, too. A request has an id only if it is
    /// logged, fails with a status of at least 500, or came with an id.
    func respond(to request: ServerRequest) async -> ServerResponse {
        let start = MonotonicTime.nanoseconds
        var id = RequestIDs.sentID(of: request) ?? (logsRequests ? requestIDs.next() : nil)
        var route: Route?
        var kind: ErrorKind?
        var response: ServerResponse
        do {
            guard let (path, value) = table.find(request.path) else {
                throw Problem(.notFound, "nothing exists at \(request.path)")
            }
            route = path.route(request.method)
            if let route {
                // Most requests without tokens need no asynchronous call.
                let authentication: Authentication
                if let known = authorization.knownAuthentication(of: request, for: route) {
                    authentication = known
                } else {
                    authentication = try await authorization.authenticate(request, for: route)
                }
                guard let request = await request.receivingBody() else {
                    throw Problem(.malformedRequest, "the body is incomplete")
                }
                let call = RouteCall(
                    request: request,
                    pathValue: value,
                    authentication: authentication
                )
                response = try await self.response(of: route, to: call)
            } else {
                response = try Self.responseWithoutRoute(path, request)
            }
        } catch {
            let problem = Problem(error)
            kind = problem.kind
            if problem.kind == .notAuthenticated {
                authorization.rejected.add(request.clientNetwork)
            }
            if problem.kind.status >= 500 {
                let failedID = id ?? requestIDs.next()
                report(problem, requestID: failedID)
                id = failedID
            }
            response = problem.response
            response.headers["Cache-Control"] = "no-store"
        }
        let duration = MonotonicTime.nanoseconds - start
        metrics.count(route, status: response.status, problem: kind, nanoseconds: duration)
        guard let id else { return response }
        response.headers.append(id, for: RequestIDs.field)
        if logsRequests {
            let answered = AnsweredRequest(
                id: id,
                traceID: request.headers[TraceContext.parentField]
                    .flatMap { TraceContext(parent: $0) }?.traceID,
                route: route?.name ?? "none",
                status: response.status,
                error: kind?.rawValue,
                nanoseconds: duration
            )
            log(.request(answered))
        }
        return response
    }

    private static func responseWithoutRoute(
        _ path: RouteTable.Path,
        _ request: ServerRequest
    ) throws(Problem) -> ServerResponse {
        if request.method == "OPTIONS" {
            let methods = path.methods.joined(separator: ", ")
            let fields: HeaderFields = ["Allow": methods, "Cache-Control": "no-store"]
            return ServerResponse(status: 204, headers: fields)
        }
        throw methodNotAllowed(path.methods)
    }

    static func methodNotAllowed(_ methods: [String]) -> Problem {
        let list = methods.joined(separator: ", ")
        return Problem(.methodNotAllowed, "only \(list)", allowedMethods: methods)
    }

    private func response(of route: Route, to call: RouteCall) async throws -> ServerResponse {
        var response = try await route.handler(self, call).conditional(on: call.request)
        if route.method != "GET" { changeFeed.noticeChange() }
        let isStorable = route.caching == .revalidated && response.status < 400
        response.headers["Cache-Control"] = isStorable ? "no-cache" : "no-store"
        return response
    }

    /// Adds the metrics of requests and of the database.
    func writeMetrics(to text: inout MetricsText) async {
        metrics.write(to: &text)
        failures.writeMetrics(to: &text)
        await store.writeMetrics(to: &text)
    }

    /// The salon, without a time zone that this machine does not know.
    func withKnownZone(_ salon: Salon) -> Salon { zoneCheck.withKnownZone(salon) }

    /// Logs why a request has failed, if clients do not see it.
    private func report(_ problem: Problem, requestID: String) {
        if let failure = problem.failure { failures.report(failure, requestID: requestID) }
        if let error = problem.unexpected { log(.message(error, requestID: requestID)) }
    }
}
