import BookingStorage
import Contract
import Domain
import HTTPServing
import JSON

extension Routes {
    static let availability = [
        Route(
            method: "GET",
            path: PathTemplate("/salons/{id}/availability"),
            name: "listSlots",
            summary: "Lists the slots of a salon that start in a range of at most 31 days.",
            parameters: [
                .salonID,
                .time("start", "The start of the range."),
                .time("end", "The exclusive end of the range."),
            ],
            successes: [.entity(SlotListCodec.schema, "The slots.")],
            problems: [.salonNotFound, .invalidRange, .storage],
            caching: .revalidated,
            handler: { try await $0.listSlots($1) }
        )
    ]

    private func listSlots(_ call: RouteCall) async throws -> ServerResponse {
        let salonID = try call.salonID()
        let start = try call.time("start")
        let end = try call.time("end").instant
        guard (0...Schedule.maximumRangeSeconds).contains(end.seconds(since: start.instant)) else {
            throw Problem(.invalidRange, "end must be 0 to 31 days after start")
        }
        // The last slot may end after the range.
        let lastEnd = end.advanced(bySeconds: 86_400)
        guard let agenda = try await store.agenda(of: salonID, from: start.instant, to: lastEnd)
        else { throw Problem(StoreError.salonNotFound(salonID)) }
        let slots = schedule(of: agenda.salon, for: start)
            .slots(from: start.instant, to: end, busy: agenda.busyIntervals, now: clock.now)
        return ServerResponse(json: SlotListCodec.encode(slots))
    }

    /// The schedule of a salon. If it has no time zone that this machine knows, its hours apply at
    /// the offset of `time`.
    func schedule(of salon: Salon, for time: AppointmentTime) -> Schedule {
        let known = withKnownZone(salon)
        let clock = try? SalonClock(of: known, zones: zones, offsetMinutes: time.offsetMinutes)
        let offset = SalonClock.offset(minutes: time.offsetMinutes)
        return Schedule(of: known, on: clock ?? offset, precision: .grains)
    }

    /// Up to three free slots that begin after both `time` and now, within two days. None if the
    /// salon does not exist.
    func alternatives(
        to time: AppointmentTime,
        in salonID: SalonID
    ) async throws -> [AppointmentTime] {
        let start = max(time.instant, clock.now)
        let end = start.advanced(bySeconds: 3 * 86_400)
        guard let agenda = try await store.agenda(of: salonID, from: start, to: end) else {
            return []
        }
        return schedule(of: agenda.salon, for: time)
            .alternatives(to: start, busy: agenda.busyIntervals, now: clock.now)
    }
}

extension RouteCall {
    /// A required time in the query.
    fileprivate func time(_ name: String) throws(Problem) -> AppointmentTime {
        guard let text = request.query[name] else {
            throw Problem(.invalidRange, "\(name) is required")
        }
        if let time = ISO8601.parse(text) { return time }
        // A plus that is not percent-encoded arrives as a space.
        guard let time = ISO8601.parse(text.replacing(" ", with: "+")) else {
            throw Problem(.invalidRange, "\(name) must be an ISO 8601 time with an offset")
        }
        return time
    }
}

extension Route.Parameter {
    fileprivate static func time(_ name: String, _ summary: String) -> Route.Parameter {
        Route.Parameter(
            name: name,
            location: .query,
            summary: "\(summary) ISO 8601 with an offset.",
            isRequired: true,
            schema: AppointmentTimeCodec.schema
        )
    }
}
