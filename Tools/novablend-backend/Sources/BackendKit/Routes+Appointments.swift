import BookingStorage
import Contract
import Domain
import HTTPServing
import JSON

extension Routes {
    func list() async throws -> ServerResponse {
        var appointments: [StoredAppointment] = []
        var page: [StoredAppointment]
        repeat {
            page = try await store.appointments(after: appointments.last?.position, limit: 1_000)
            appointments += page
        } while page.count == 1_000
        return ServerResponse(status: 200, body: appointments.encoded)
    }

    func book(_ request: ServerRequest) async throws -> ServerResponse {
        try check(request.idempotencyKey)
        let booking = try decode { () throws(JSONError) in
            try BookingRequestCodec.decode(request.body)
        }
        return try await offeringAlternatives(to: booking.time, in: booking.salonID) {
            () async throws(StoreError) in
            let stored = try await store.book(booking, as: request.keyedRequest) { salon in
                try rule { () throws(BookingError) in
                    try BookingRules.check(booking, now: clock.now)
                }
                let salon = withKnownZone(salon)
                try check(booking, in: salon)
                return salon.appointmentMinutes
            }
            return response(201, stored)
        }
    }

    /// Shows, reschedules, or cancels an appointment.
    func appointment(_ id: String, _ request: ServerRequest) async throws -> ServerResponse {
        switch request.method {
        case "PATCH": try await reschedule(id, request)
        case "DELETE": try await cancel(id, request)
        default: response(200, try await stored(id))
        }
    }

    private func stored(_ id: String) async throws(StoreError) -> StoredAppointment {
        guard let stored = try await store.appointment(id) else { throw .appointmentNotFound(id) }
        return stored
    }

    private func reschedule(_ id: String, _ request: ServerRequest) async throws -> ServerResponse {
        try check(request.idempotencyKey)
        let time = try decode { () throws(JSONError) in
            let body = try JSONDocument(parsing: request.body).root.object()
            return try AppointmentTimeCodec.read(body.required("appointmentTime"))
        }
        // An appointment never moves to another salon, so this stays true during the transaction.
        let salonID = try await stored(id).booking.salonID
        return try await offeringAlternatives(to: time, in: salonID) {
            () async throws(StoreError) in
            let moved = try await store.change(id, as: request.keyedRequest) { stored, salon in
                try checkChange(of: stored, request)
                try move(&stored, to: time, in: salon)
            }
            return response(200, moved)
        }
    }

    /// Moves an appointment if the salon's rules allow the new time. The store checks for overlaps.
    ///
    /// The current time is always allowed and retains its length, even if the rules have changed.
    private func move(
        _ stored: inout StoredAppointment,
        to time: AppointmentTime,
        in salon: Salon?
    ) throws {
        let hasTime = stored.booking.time.instant == time.instant
        stored.booking.time = time
        if hasTime { return }
        guard let salon = salon.map(withKnownZone) else {
            throw StoreError.salonNotFound(stored.booking.salonID)
        }
        try check(stored.booking, in: salon)
        stored.minutes = salon.appointmentMinutes
    }

    private func cancel(_ id: String, _ request: ServerRequest) async throws -> ServerResponse {
        try check(request.idempotencyKey)
        let cancelled = try await store.change(id, as: request.keyedRequest) { stored, _ in
            try checkChange(of: stored, request)
            stored.status = .cancelled
        }
        return response(200, cancelled)
    }

    private func checkChange(of stored: StoredAppointment, _ request: ServerRequest) throws {
        try request.requireVersion(of: stored)
        guard stored.booking.time.instant > clock.now else {
            throw Problem(422, "invalidBooking", "the appointment is in the past")
        }
    }

    /// A response with an appointment and its version as `ETag`.
    private func response(_ status: Int, _ stored: StoredAppointment) -> ServerResponse {
        var response = ServerResponse(status: status, body: stored.encoded.bytes)
        response.headers["ETag"] = stored.entityTag
        return response
    }
}
