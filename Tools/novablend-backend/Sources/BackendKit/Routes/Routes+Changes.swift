import BookingStorage
import Contract
import Domain
import HTTPServing
import JSON

extension Routes {
    static let changes = [
        Route(
            method: "PATCH",
            path: PathTemplate("/appointments/{id}"),
            name: "rescheduleAppointment",
            summary: "Moves an active appointment to a different time, and can change its options.",
            parameters: [.appointmentID, .ifMatch, .idempotencyKey],
            body: Route.Body(
                summary: "The new time, and the options that change.",
                schema: AppointmentChange.schema
            ),
            successes: [.entity(ServedAppointment.schema, "The moved appointment.")],
            problems: changeProblems + [.salonNotFound] + ErrorKind.aboutTimes,
            handler: { try await $0.reschedule($1) }
        ),
        Route(
            method: "DELETE",
            path: PathTemplate("/appointments/{id}"),
            name: "cancelAppointment",
            summary: "Cancels an active appointment.",
            parameters: [.appointmentID, .ifMatch, .idempotencyKey],
            successes: [.entity(ServedAppointment.schema, "The cancelled appointment.")],
            problems: changeProblems,
            handler: { try await $0.cancel($1) }
        ),
    ]

    private static let changeProblems: [ErrorKind] = [
        .appointmentNotFound, .keyVoided, .versionConflict, .invalidBooking, .invalidKey,
        .idempotencyConflict, .preconditionRequired, .storage, .storageFull,
    ]

    private func reschedule(_ call: RouteCall) async throws -> ServerResponse {
        let (id, principal) = (call.id, call.principal)
        let request = try call.keyedRequest()
        let change = try call.decode(orThrow: .invalidBooking, AppointmentChange.init(reading:))
        return try await offeringAlternatives(
            to: try await store.appointment(id, visibleTo: principal.role)
                .map { (change.applied(to: $0), $0) },
            for: principal
        ) {
            let stored = try await store.change(id, as: request, by: principal) { stored, salon in
                try self.checkChange(of: stored, call.request)
                return try self.move(&stored, by: change, in: salon, for: principal)
            }
            return response(200, stored)
        }
    }

    /// Changes an appointment if the salon's rules allow it, and returns what it needs then. The
    /// store checks for overlaps.
    ///
    /// Returns nil if neither the instant nor the options change. The present time is always allowed
    /// and retains its length, even if the rules have changed. If the salon's clock shows a different
    /// local time now, the appointment gets that.
    private func move(
        _ stored: inout StoredAppointment,
        by change: AppointmentChange,
        in salon: Salon?,
        for principal: Principal
    ) throws -> BookingPlan? {
        let after = change.applied(to: stored)
        if after.time.instant == stored.booking.time.instant,
            after.options == stored.requestedOptions
        {
            stored.booking.time =
                salon.map { schedule(of: $0, for: after.time).clock.salonTime(of: after.time) }
                ?? after.time
            return nil
        }
        guard let salon else { throw Problem.salonNotFound(after.salonID) }
        let plan = try plan(for: after, moving: stored, in: salon, by: principal)
        (stored.booking, stored.isStaffAssigned) = (after, false)
        return plan
    }

    private func cancel(_ call: RouteCall) async throws -> ServerResponse {
        let request = try call.keyedRequest()
        let stored = try await store.change(
            call.id,
            as: request,
            by: call.principal
        ) { stored, _ in
            try self.checkChange(of: stored, call.request)
            stored.status = .cancelled
            return nil
        }
        return response(200, stored)
    }

    private func checkChange(of stored: StoredAppointment, _ request: ServerRequest) throws {
        try request.requireVersion(of: stored)
        guard stored.booking.time.instant > clock.now else {
            throw Problem(.invalidBooking, "the appointment is in the past")
        }
    }
}

/// What a `PATCH` of an appointment changes.
struct AppointmentChange: Sendable {
    /// The new time.
    private var time: AppointmentTime
    /// The new service; nil if it does not change.
    private var serviceID: String?
    /// The new choice of a staff member. An inner nil means anyone. An outer nil means that the
    /// choice does not change: the staff member whom the customer chose, or else anyone, preferably
    /// the present staff member.
    private var staffID: String??
    /// The new number of seats; nil if it does not change.
    private var seats: Int?

    /// The schema of the body.
    static let schema = JSONSchema.object(
        ObjectSchema([
            .init("appointmentTime", AppointmentTimeCodec.schema, "ISO 8601 with an offset"),
            .optional("serviceId", LocalIDCodec.schema, "the new service; unchanged if absent"),
            .optional(
                "staffId",
                .anyOf([LocalIDCodec.schema, .null]),
                "the new staff member, or null for anyone; unchanged if absent"
            ),
            .optional(
                "seats",
                .integer(in: BookingOptionsCodec.seatsRange),
                "the new number of seats; unchanged if absent"
            ),
        ]).named("AppointmentChange")
    )

    /// Reads a change. Throws a `mismatch` with the path of an invalid value.
    init(reading value: JSONValue) throws(JSONError) {
        let object = try value.object()
        time = try AppointmentTimeCodec.read(object.required("appointmentTime"))
        serviceID = try object.optional("serviceId").map(LocalIDCodec.read)?.canonicalID
        if let id = object.member(named: "staffId") {
            staffID = .some(id.isNull ? nil : try LocalIDCodec.read(id).canonicalID)
        }
        seats = try object.optional("seats").map(BookingOptionsCodec.readSeats)
    }

    /// The booking after the change, with the staff member that the customer chose, if any.
    func applied(to stored: StoredAppointment) -> BookingRequest {
        var booking = stored.booking
        booking.time = time
        booking.options = stored.requestedOptions
        booking.options.serviceID = serviceID ?? booking.options.serviceID
        booking.options.seats = seats ?? booking.options.seats
        if let staffID { booking.options.staffID = staffID }
        return booking
    }
}
