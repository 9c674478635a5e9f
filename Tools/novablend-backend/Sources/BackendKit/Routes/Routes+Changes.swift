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
            summary: "Moves an active appointment to a different time.",
            parameters: [.appointmentID, .ifMatch, .idempotencyKey],
            body: Route.Body(summary: "The new time.", schema: .object(changeSchema)),
            successes: [.entity(ServedAppointment.schema, "The moved appointment.")],
            problems: changeProblems + [
                .salonNotFound, .slotUnavailable, .outsideOpeningHours, .notBookable,
            ],
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

    private static let changeSchema = ObjectSchema([
        .init("appointmentTime", AppointmentTimeCodec.schema, "ISO 8601 with an offset")
    ]).named("AppointmentChange")

    private static let changeProblems: [Problem.Kind] = [
        .appointmentNotFound, .keyVoided, .versionConflict, .invalidBooking, .invalidKey,
        .idempotencyConflict, .preconditionRequired, .storage, .storageFull,
    ]

    private func reschedule(_ call: RouteCall) async throws -> ServerResponse {
        let request = try call.keyedRequest()
        let time = try call.decode(orThrow: .invalidBooking) { value throws(JSONError) in
            try AppointmentTimeCodec.read(value.object().required("appointmentTime"))
        }
        return try await offeringAlternatives(
            to: time,
            in: try await store.appointment(call.pathValue)?.booking.salonID
        ) {
            let stored = try await store.change(call.pathValue, as: request) { stored, salon in
                try checkChange(of: stored, call.request)
                return try move(&stored, to: time, in: salon)
            }
            return response(200, stored)
        }
    }

    /// Moves an appointment if the salon's rules allow the new time. The store checks whether it is
    /// free.
    ///
    /// The current time is always allowed and retains its length, even if the rules have changed.
    private func move(
        _ stored: inout StoredAppointment,
        to time: AppointmentTime,
        in salon: Salon?
    ) throws -> BookingPlan? {
        let hasTime = stored.booking.time.instant == time.instant
        stored.booking.time = time
        if hasTime { return nil }
        guard let salon else { throw Problem(StoreError.salonNotFound(stored.booking.salonID)) }
        var booking = stored.booking
        booking.options = stored.requestedOptions
        return try plan(for: booking, in: salon)
    }

    private func cancel(_ call: RouteCall) async throws -> ServerResponse {
        let request = try call.keyedRequest()
        let stored = try await store.change(call.pathValue, as: request) { stored, _ in
            try checkChange(of: stored, call.request)
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
