import Contract
import Domain
import HTTPServing
import JSON

extension Routes {
    func list() throws -> ServerResponse {
        ServerResponse(status: 200, body: try store.entries().encoded)
    }

    func book(_ request: ServerRequest) throws -> ServerResponse {
        try check(request.idempotencyKey)
        let booking = try decode { () throws(JSONError) in
            try BookingRequestCodec.decode(request.body)
        }
        let salon = try salon(booking.salonID.description)
        return try offeringAlternatives(to: booking.time, in: salon) {
            // The checks run only for a new booking: a repeated request gets the original response
            // even if its time has passed.
            let body = try store.book(booking, minutes: salon.appointmentMinutes, as: request) {
                try rule { () throws(BookingError) in
                    try BookingRules.check(booking, now: clock.now)
                }
                try check(booking, in: salon)
            }
            return try response(201, body)
        }
    }

    /// Shows, reschedules, or cancels an appointment.
    func appointment(_ id: String, _ request: ServerRequest) throws -> ServerResponse {
        switch request.method {
        case "PATCH": try reschedule(id, request)
        case "DELETE": try cancel(id, request)
        default: try response(200, try store.entry(id).encoded.bytes)
        }
    }

    private func reschedule(_ id: String, _ request: ServerRequest) throws -> ServerResponse {
        try check(request.idempotencyKey)
        let time = try decode { () throws(JSONError) in
            let body = try JSONDocument(parsing: request.body).root.object()
            return try AppointmentTimeCodec.read(body.required("appointmentTime"))
        }
        // An appointment never moves to another salon, so this stays true during the transaction.
        let salonID = try store.entry(id).appointment.booking.salonID
        return try offeringAlternatives(to: time, in: salons[salonID]) {
            let body = try store.change(id, as: request) { entry in
                try checkChange(of: entry, request)
                try move(&entry, to: time)
            }
            return try response(200, body)
        }
    }

    /// Moves an appointment if the salon's rules allow the new time. The store checks for overlaps.
    ///
    /// The current time is always allowed and retains its length, even if the rules have changed.
    private func move(_ entry: inout BookingStore.Entry, to time: AppointmentTime) throws {
        let hasTime = entry.appointment.booking.time.instant == time.instant
        entry.appointment.booking.time = time
        if hasTime { return }
        let booking = entry.appointment.booking
        let salon = try salon(booking.salonID.description)
        try check(booking, in: salon)
        entry.minutes = salon.appointmentMinutes
    }

    private func cancel(_ id: String, _ request: ServerRequest) throws -> ServerResponse {
        try check(request.idempotencyKey)
        let body = try store.change(id, as: request) { entry in
            try checkChange(of: entry, request)
            entry.appointment.status = .cancelled
        }
        return try response(200, body)
    }

    private func checkChange(of entry: BookingStore.Entry, _ request: ServerRequest) throws {
        try request.requireVersion(of: entry)
        guard entry.appointment.booking.time.instant > clock.now else {
            throw Problem(422, "invalidBooking", "the appointment is in the past")
        }
    }

    /// A response with an encoded appointment and its version as `ETag`.
    private func response(_ status: Int, _ body: [UInt8]) throws -> ServerResponse {
        var response = ServerResponse(status: status, body: body)
        response.headers["ETag"] = try AppointmentCodec.decode(body).entityTag
        return response
    }
}
