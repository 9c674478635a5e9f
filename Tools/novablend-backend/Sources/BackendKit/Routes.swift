import BookingStorage
import Contract
import Domain
import HTTPServing
import JSON

/// Routes requests by their paths.
struct Routes: Sendable {
    let store: any BookingStore
    private let lists: [String: ServedList]
    private let log: @Sendable (String) -> Void
    private let failures: FailureLog
    private let zoneCheck: ZoneCheck
    let zones: any ZoneSource
    let clock: any WallClock

    init(
        store: any BookingStore,
        lists: [ServedList],
        zones: any ZoneSource,
        clock: any WallClock,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.store = store
        failures = FailureLog(clock: clock, log: log)
        self.zones = zones
        zoneCheck = ZoneCheck(zones: zones, log: log)
        self.lists = Dictionary(lists.map { ($0.name, $0) }) { first, _ in first }
        self.log = log
        self.clock = clock
    }

    /// The salon, without a time zone that this machine does not know.
    func withKnownZone(_ salon: Salon) -> Salon { zoneCheck.withKnownZone(salon) }

    func respond(to request: ServerRequest) async -> ServerResponse {
        do {
            return try await route(request)
        } catch let problem as Problem {
            return problem.response
        } catch let error as StoreError {
            if case .unavailable(let failure) = error { failures.report(failure) }
            if let problem = Problem(error) { return problem.response }
            log("\(error)")
        } catch {
            log("\(error)")
        }
        return Problem(500, "internal", "the backend failed").response
    }

    private func route(_ request: ServerRequest) async throws -> ServerResponse {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: true)
        switch (parts.first.map(String.init), parts.count) {
        case ("health", 1):
            return try await only(["GET"], request) {
                try await store.checkHealth()
                return ServerResponse(status: 200, body: Self.healthy)
            }
        case ("salons", 1):
            return try await only(["GET"], request) { try await salonList() }
        case ("salons", 3) where parts[2] == "availability":
            return try await only(["GET"], request) {
                try await availability(String(parts[1]), request)
            }
        case ("appointments", 1):
            return try await only(["GET", "POST"], request) {
                request.method == "POST" ? try await book(request) : try await list()
            }
        case ("appointments", 2):
            return try await only(["GET", "PATCH", "DELETE"], request) {
                try await appointment(String(parts[1]), request)
            }
        case ("idempotency-keys", _): return try await voidKey(request)
        case ("images", 2):
            return try await only(["GET"], request) { try image(String(parts[1])) }
        case (let name?, 1):
            guard let list = lists[name] else { throw Self.notFound(request.path) }
            return try await only(["GET"], request) {
                ServerResponse(status: 200, body: try list.body(for: request))
            }
        default: throw Self.notFound(request.path)
        }
    }

    static func notFound(_ path: String) -> Problem {
        Problem(404, "notFound", "nothing exists at \(path)")
    }

    private func image(_ file: String) throws -> ServerResponse {
        guard let png = SampleImages.png(named: file) else { throw Self.notFound(file) }
        return ServerResponse(status: 200, headers: ["Content-Type": "image/png"], body: png)
    }

    private static let healthy = Array("{\"status\":\"ok\"}".utf8)

    func only(
        _ methods: [String],
        _ request: ServerRequest,
        _ body: () async throws -> ServerResponse
    ) async throws -> ServerResponse {
        let method = request.method == "HEAD" ? "GET" : request.method
        if methods.contains(method) { return try await body() }
        var problem = Problem(405, "methodNotAllowed", "only \(methods.joined(separator: ", "))")
        problem.headers["Allow"] = methods.joined(separator: ", ")
        throw problem
    }

    func salon(_ id: String) async throws -> Salon {
        guard let salonID = SalonID(id), let salon = try await store.salon(salonID) else {
            throw Problem(404, "salonNotFound", "there is no salon \(id)")
        }
        return withKnownZone(salon)
    }

    private func salonList() async throws -> ServerResponse {
        var salons: [Salon] = []
        var page: [Salon]
        repeat {
            page = try await store.salons(after: salons.last?.id, limit: 1_000)
            salons += page.map(withKnownZone)
        } while page.count == 1_000
        return ServerResponse(status: 200, body: SalonListCodec.encode(salons))
    }
}
