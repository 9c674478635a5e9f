import Contract
import Domain
import HTTPServing
import JSON

/// Routes requests by their paths.
struct Routes: Sendable {
    let store: BookingStore
    let salons: [SalonID: Salon]
    /// Encoded once, since salons do not change while the backend runs.
    private let salonList: [UInt8]
    private let lists: [String: ServedList]
    private let log: @Sendable (String) -> Void
    let zones: any ZoneSource
    let clock: any WallClock

    init(
        store: BookingStore,
        salons: [Salon],
        lists: [ServedList],
        zones: any ZoneSource,
        clock: any WallClock,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.store = store
        self.zones = zones
        let salons = salons.map { Self.withKnownZone($0, zones, log) }
        self.salons = Dictionary(salons.map { ($0.id, $0) }) { first, _ in first }
        salonList = SalonListCodec.encode(salons)
        self.lists = Dictionary(lists.map { ($0.name, $0) }) { first, _ in first }
        self.log = log
        self.clock = clock
    }

    /// The salon, without its time zone if this machine does not know the zone. Client and backend
    /// then use the offset in each request for the salon's local time.
    private static func withKnownZone(
        _ salon: Salon,
        _ zones: any ZoneSource,
        _ log: (String) -> Void
    ) -> Salon {
        guard let zone = salon.timeZone, zones.rules(of: zone) == nil else { return salon }
        log("this machine does not know \(zone), the time zone of \(salon.name); install tzdata")
        var salon = salon
        salon.timeZone = nil
        return salon
    }

    func respond(to request: ServerRequest) async -> ServerResponse {
        do {
            return try route(request)
        } catch let problem as Problem {
            return problem.response
        } catch let failure as Database.Failure {
            log("database: \(failure.message)")
            let status = failure.isFull ? 507 : 503
            return Problem(status, "storage", "the database failed; try again later").response
        } catch {
            log("\(error)")
            return Problem(500, "internal", "the backend failed").response
        }
    }

    private func route(_ request: ServerRequest) throws -> ServerResponse {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: true)
        switch (parts.first.map(String.init), parts.count) {
        case ("health", 1):
            return try only(["GET"], request) { ServerResponse(status: 200, body: Self.healthy) }
        case ("salons", 1):
            return try only(["GET"], request) { ServerResponse(status: 200, body: salonList) }
        case ("salons", 3) where parts[2] == "availability":
            return try only(["GET"], request) { try availability(String(parts[1]), request) }
        case ("appointments", 1):
            return try only(["GET", "POST"], request) {
                request.method == "POST" ? try book(request) : try list()
            }
        case ("appointments", 2):
            return try only(["GET", "PATCH", "DELETE"], request) {
                try appointment(String(parts[1]), request)
            }
        case ("idempotency-keys", _): return try voidKey(request)
        case ("images", 2):
            return try only(["GET"], request) { try image(String(parts[1])) }
        case (let name?, 1):
            guard let list = lists[name] else { throw Self.notFound(request.path) }
            return try only(["GET"], request) {
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
        _ body: () throws -> ServerResponse
    ) throws -> ServerResponse {
        let method = request.method == "HEAD" ? "GET" : request.method
        if methods.contains(method) { return try body() }
        var problem = Problem(405, "methodNotAllowed", "only \(methods.joined(separator: ", "))")
        problem.headers["Allow"] = methods.joined(separator: ", ")
        throw problem
    }

    func salon(_ id: String) throws -> Salon {
        guard let salon = SalonID(id).flatMap({ salons[$0] }) else {
            throw Problem(404, "salonNotFound", "there is no salon \(id)")
        }
        return salon
    }
}
