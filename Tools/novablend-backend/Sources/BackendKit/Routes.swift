import Contract
import Domain
import JSON

/// What each path answers.
struct Routes: Sendable {
    private let store: BookingStore
    private let salons: [SalonID: Salon]
    /// Salons do not change while the backend runs: their list is encoded once.
    private let salonList: [UInt8]
    private let lists: [String: ServedList]
    private let log: @Sendable (String) -> Void
    private let zones: any ZoneSource
    private let now: @Sendable () -> Timestamp

    init(
        store: BookingStore,
        salons: [Salon],
        lists: [ServedList],
        zones: any ZoneSource,
        log: @escaping @Sendable (String) -> Void,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.zones = zones
        let salons = salons.map { Self.withKnownZone($0, zones, log) }
        self.salons = Dictionary(salons.map { ($0.id, $0) }) { first, _ in first }
        salonList = SalonListCodec.encode(salons)
        self.lists = Dictionary(lists.map { ($0.name, $0) }) { first, _ in first }
        self.log = log
        self.now = now
    }

    /// On a machine without its zone a salon is served without one: then the offset in a request is
    /// its wall clock, for client and backend alike.
    private static func withKnownZone(
        _ salon: Salon,
        _ zones: any ZoneSource,
        _ log: (String) -> Void
    ) -> Salon {
        guard let zone = salon.timeZone, zones.rules(of: zone) == nil else { return salon }
        log("\(salon.name) has no time zone, since \(zone) is not known here; install tzdata")
        var salon = salon
        salon.timeZone = nil
        return salon
    }

    func respond(to request: ServerRequest) -> ServerResponse {
        do {
            return try route(request)
        } catch let problem as Problem {
            return problem.response
        } catch let failure as Database.Failure {
            log("database: \(failure.message)")
            let status = failure.isFull ? 507 : 503
            return Problem(status, "storage", "the booking could not be stored; try later").response
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
        case ("images", 2):
            return try only(["GET"], request) { try image(String(parts[1])) }
        case (let name?, 1):
            guard let list = lists[name] else { throw Self.nothing(at: request.path) }
            return try only(["GET"], request) {
                ServerResponse(status: 200, body: try list.body(for: request))
            }
        default: throw Self.nothing(at: request.path)
        }
    }

    private static func nothing(at path: String) -> Problem {
        Problem(404, "notFound", "there is nothing at \(path)")
    }

    private func image(_ file: String) throws -> ServerResponse {
        guard let png = SampleImages.png(named: file) else { throw Self.nothing(at: file) }
        return ServerResponse(status: 200, headers: ["Content-Type": "image/png"], body: png)
    }

    private static let healthy = Array("{\"status\":\"ok\"}".utf8)

    private func only(
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

    private func list() throws -> ServerResponse {
        ServerResponse(status: 200, body: AppointmentListCodec.encode(try store.appointments()))
    }

    private func book(_ request: ServerRequest) throws -> ServerResponse {
        let key = request.headers["idempotency-key"]
        if let key { try rule { () throws(BookingError) in try BookingRules.check(key: key) } }
        let booking: BookingRequest
        do throws(JSONError) {
            booking = try BookingRequestCodec.decode(request.body)
        } catch {
            throw Problem(422, "invalidBooking", error.description)
        }
        let salon = try salon(booking.salonID.description)
        do {
            // A repeated request is answered as before even when its time has passed since.
            let answer = try store.book(
                booking,
                minutes: salon.slotMinutes,
                body: request.body,
                key: key
            ) { try check(booking, in: salon) }
            return ServerResponse(status: 201, body: answer)
        } catch var problem as Problem
            where ["slotUnavailable", "notBookable"].contains(problem.name)
        {
            problem.alternatives = try alternatives(to: booking.time, in: salon)
            throw problem
        }
    }

    /// What is booked already, the store finds out.
    private func check(_ booking: BookingRequest, in salon: Salon) throws {
        let schedule = try schedule(of: salon, for: booking.time)
        try rule { () throws(BookingError) in
            try BookingRules.check(booking, now: now())
            try BookingRules.check(booking, by: schedule, now: now())
        }
    }

    private func rule(_ check: () throws(BookingError) -> Void) throws {
        do throws(BookingError) {
            try check()
        } catch {
            switch error {
            case .invalidRequest(let field, let reason):
                throw Problem(422, "invalidBooking", "\(field) \(reason)")
            case .outsideOpeningHours(_, let reason):
                throw Problem(422, "outsideOpeningHours", reason)
            case .notBookable(let rule, let reason, _):
                var problem = Problem(422, "notBookable", reason)
                problem.rule = rule
                throw problem
            default: throw Problem(422, "invalidBooking", "\(error)")
            }
        }
    }

    private func salon(_ id: String) throws -> Salon {
        guard let salon = SalonID(id).flatMap({ salons[$0] }) else {
            throw Problem(404, "salonNotFound", "there is no salon \(id)")
        }
        return salon
    }
}

extension Routes {
    private func availability(_ id: String, _ request: ServerRequest) throws -> ServerResponse {
        let salon = try salon(id)
        let from = try instant("from", request)
        let to = try instant("to", request)
        guard (0...Schedule.longestRange).contains(to.instant.seconds(since: from.instant)) else {
            throw Problem(422, "invalidRange", "to must be at most 31 days after from")
        }
        let slots = try slots(of: salon, from: from, to: to.instant)
        return ServerResponse(status: 200, body: SlotListCodec.encode(slots))
    }

    private func instant(_ name: String, _ request: ServerRequest) throws -> AppointmentTime {
        // An unescaped plus arrives as a space.
        let text = request.query[name]?.split(separator: " ").joined(separator: "+")
        guard let time = text.flatMap({ ISO8601.parse($0) }) else {
            throw Problem(422, "invalidRange", "\(name) must be an ISO 8601 time with an offset")
        }
        return time
    }

    private func slots(
        of salon: Salon,
        from: AppointmentTime,
        to: Timestamp
    ) throws -> [Slot] {
        // The last slot may reach past the range.
        let end = to.advanced(bySeconds: 86_400)
        let busy = try store.busy(in: salon.id, from: from.instant, to: end)
        return try schedule(of: salon, for: from)
            .slots(from: from.instant, to: to, busy: busy, now: now())
    }

    private func schedule(of salon: Salon, for time: AppointmentTime) throws -> Schedule {
        let offset = time.offsetMinutes
        let clock = try SalonClock(of: salon, zones: zones, offsetMinutes: offset)
        return Schedule(of: salon, on: clock)
    }

    /// Up to three free slots that begin after `time` and now, within two days.
    private func alternatives(to time: AppointmentTime, in salon: Salon) throws -> [AppointmentTime]
    {
        let start = max(time.instant, now())
        let end = start.advanced(bySeconds: 3 * 86_400)
        let busy = try store.busy(in: salon.id, from: start, to: end)
        return try schedule(of: salon, for: time).alternatives(to: start, busy: busy, now: now())
    }
}
