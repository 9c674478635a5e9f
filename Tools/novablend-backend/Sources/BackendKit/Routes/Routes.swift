import BookingStorage
import Contract
import Domain
import HTTPServing

/// Answers requests by the routes in one table.
struct Routes: Sendable {
    let store: any BookingStore
    let zones: any ZoneSource
    let clock: any WallClock
    let document: OpenAPIDocument
    let drain = Drain()
    private let table: RouteTable
    private let zoneCheck: ZoneCheck
    private let failures: FailureLog
    private let log: @Sendable (String) -> Void

    init(
        store: any BookingStore,
        lists: [ServedList],
        zones: any ZoneSource,
        clock: any WallClock,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.store = store
        self.zones = zones
        self.clock = clock
        self.log = log
        zoneCheck = ZoneCheck(zones: zones, log: log)
        failures = FailureLog(clock: clock, log: log)
        table = Self.table(lists: lists)
        document = OpenAPIDocument(of: table)
    }

    /// All routes. A list must not have the path of another route.
    static func table(lists: [ServedList]) -> RouteTable {
        RouteTable(
            salons + conflicts + availability + appointments + changes + holds + keys
                + lists.map(\.route) + images + service + health
        )
    }

    /// The response to a request. Errors become responses, too.
    func respond(to request: ServerRequest) async -> ServerResponse {
        do {
            return try await route(request)
        } catch {
            var response = problem(error).response
            response.headers["Cache-Control"] = "no-store"
            return response
        }
    }

    private func route(_ request: ServerRequest) async throws -> ServerResponse {
        guard let (path, value) = table.find(request.path) else {
            throw Problem(.notFound, "nothing exists at \(request.path)")
        }
        guard let route = path.route(request.method) else {
            let methods = path.methods.joined(separator: ", ")
            if request.method == "OPTIONS" {
                let fields: HeaderFields = ["Allow": methods, "Cache-Control": "no-store"]
                return ServerResponse(status: 204, headers: fields)
            }
            var problem = Problem(.methodNotAllowed, "only \(methods)")
            problem.headers["Allow"] = methods
            throw problem
        }
        let call = RouteCall(request: request, pathValue: value)
        var response = try await route.handler(self, call).conditional(on: request)
        let isStorable = route.caching == .revalidated && response.status < 400
        response.headers["Cache-Control"] = isStorable ? "no-cache" : "no-store"
        return response
    }

    /// The salon, without a time zone that this machine does not know.
    func withKnownZone(_ salon: Salon) -> Salon { zoneCheck.withKnownZone(salon) }

    private func problem(_ error: any Error) -> Problem {
        switch error {
        case let problem as Problem: return problem
        case StoreError.rejected(let error): return self.problem(error)
        case let error as StoreError:
            if case .unavailable(let failure) = error { failures.report(failure) }
            return Problem(error)
        default:
            log("\(error)")
            return Problem(.internalError, "the backend failed")
        }
    }
}
