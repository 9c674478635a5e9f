import Contract
import Domain
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
            // A repeated request is answered as before even when its time has passed since.
            let answer = try store.book(booking, minutes: salon.appointmentMinutes, as: request) {
                try rule { () throws(BookingError) in
                    try BookingRules.check(booking, now: clock.now)
                }
                try check(booking, in: salon)
            }
            return try self.answer(201, answer)
        }
    }

    /// What is asked of one appointment.
    func appointment(_ id: String, _ request: ServerRequest) throws -> ServerResponse {
        switch request.method {
        case "PATCH": try reschedule(id, request)
        case "DELETE": try cancel(id, request)
        default: try answer(200, try store.entry(id).encoded.bytes)
        }
    }

    private func reschedule(_ id: String, _ request: ServerRequest) throws -> ServerResponse {
        try check(request.idempotencyKey)
        let time = try decode { () throws(JSONError) in
            let body = try JSONDocument(parsing: request.body).root.object()
            return try AppointmentTimeCodec.read(body.required("appointmentTime"))
        }
        // An appointment never moves to another salon: what is read here still holds below.
        let salonID = try store.entry(id).appointment.booking.salonID
        return try offeringAlternatives(to: time, in: salons[salonID]) {
            let answer = try store.change(id, as: request) { entry in
                try checkChange(of: entry, request)
                try move(&entry, to: time)
            }
            return try self.answer(200, answer)
        }
    }

    /// What is booked already, the store finds out. The time that it has stays allowed, and as long,
    /// also where a rule of the salon has become another since.
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
        let answer = try store.change(id, as: request) { entry in
            try checkChange(of: entry, request)
            entry.appointment.status = .cancelled
        }
        return try self.answer(200, answer)
    }

    private func checkChange(of entry: BookingStore.Entry, _ request: ServerRequest) throws {
        try request.requireVersion(of: entry)
        guard entry.appointment.booking.time.instant > clock.now else {
            throw Problem(422, "invalidBooking", "the appointment has taken place")
        }
    }

    /// The bytes of an appointment, tagged with its version.
    private func answer(_ status: Int, _ bytes: [UInt8]) throws -> ServerResponse {
        var response = ServerResponse(status: status, body: bytes)
        response.headers["ETag"] = try AppointmentCodec.decode(bytes).entityTag
        return response
    }
}
