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
                .option("serviceId", LocalIDCodec.schema, "The id of the service."),
                .option("staffId", LocalIDCodec.schema, "The id of the staff member."),
                .option(
                    "seats",
                    .integer(in: BookingOptionsCodec.seatsRange),
                    "The number of seats; 1 by default."
                ),
                .option("explain", .boolean, "Whether each slot states who is free."),
            ],
            successes: [.entity(SlotListCodec.schema, "The slots.")],
            problems: [.salonNotFound, .invalidRange, .invalidBooking, .storage],
            caching: .revalidated,
            access: .public,
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
        let options = try call.options()
        let isExplained = try call.flag("explain")
        let range = bookedRange(from: start.instant, to: end, options)
        guard let agenda = try await store.agenda(of: salonID, from: range.start, to: range.end)
        else { throw Problem(StoreError.salonNotFound(salonID)) }
        let schedule = schedule(of: agenda.salon, for: start)
        let slots = schedule.slots(
            for: try requirement(of: options, by: schedule),
            from: start.instant,
            to: end,
            busy: agenda.busyIntervals,
            now: clock.now,
            isExplained: isExplained
        )
        return ServerResponse(json: SlotListCodec.encode(slots))
    }

    /// The schedule of a salon. If it has no time zone that this machine knows, its hours apply at
    /// the offset of `time`.
    func schedule(of salon: Salon, for time: AppointmentTime) -> Schedule {
        let known = withKnownZone(salon)
        let clock = try? SalonClock(of: known, zones: zones, offsetMinutes: time.offsetMinutes)
        return Schedule(
            of: known,
            on: clock ?? .offset(minutes: time.offsetMinutes),
            precision: .grains
        )
    }

    /// Up to three times for the same appointment that are free and after both its time and now,
    /// within two days. None if the salon does not exist.
    func alternatives(to booking: BookingRequest) async throws -> [AppointmentTime] {
        let start = max(booking.time.instant, clock.now)
        let range = bookedRange(from: start, to: start.advanced(byDays: 2), booking.options)
        let id = booking.salonID
        guard let agenda = try await store.agenda(of: id, from: range.start, to: range.end) else {
            return []
        }
        let schedule = schedule(of: agenda.salon, for: booking.time)
        return schedule.alternatives(
            to: start,
            for: try requirement(of: booking.options, by: schedule),
            busy: agenda.busyIntervals,
            now: clock.now
        )
    }

    /// The time in which bookings may take a slot that starts from `from` to `to`, for any service
    /// that a salon can have: it takes at most a day, and so do the buffers on both sides.
    private func bookedRange(
        from: Timestamp,
        to: Timestamp,
        _ options: BookingOptions
    ) -> (start: Timestamp, end: Timestamp) {
        let bufferDays: Int64 = options.serviceID == nil ? 0 : 1
        return (from.advanced(byDays: -bufferDays), to.advanced(byDays: 1 + bufferDays))
    }
}

extension Timestamp {
    fileprivate func advanced(byDays days: Int64) -> Timestamp {
        advanced(bySeconds: days * 86_400)
    }
}

extension RouteCall {
    /// The service, the staff member, and the seats in the query.
    fileprivate func options() throws(Problem) -> BookingOptions {
        var options = BookingOptions(
            serviceID: request.query["serviceId"],
            staffID: request.query["staffId"]
        )
        if let text = request.query["seats"] {
            guard let seats = Int(text) else {
                throw Problem(.invalidBooking, "seats must be an integer")
            }
            options.seats = seats
        }
        return options
    }

    /// An optional parameter of the query that is `true` or `false`.
    fileprivate func flag(_ name: String) throws(Problem) -> Bool {
        guard let text = request.query[name] else { return false }
        guard let value = Bool(text) else {
            throw Problem(.invalidBooking, "\(name) must be true or false")
        }
        return value
    }

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

    fileprivate static func option(
        _ name: String,
        _ schema: JSONSchema,
        _ summary: String
    ) -> Route.Parameter {
        Route.Parameter(name: name, location: .query, summary: summary, schema: schema)
    }
}
