import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters

/// What a caller wants to book.
struct BookingCall {
    let request: BookingRequest
    /// The clock of the salon's zone, where one is known.
    let clock: SalonClock?

    init(_ params: Params, _ times: ReadSalonTime) async throws(RPCError) {
        let salonID = try params.read("salonId") { value throws(JSONError) in
            try SalonIDCodec.read(value)
        }
        let time = try params.read("appointmentTime") { value throws(JSONError) in
            try RequestedTimeCodec.read(value)
        }
        guard let salonID, let time, let phone = try params.string("phone") else {
            throw .invalidParams("\"salonId\", \"appointmentTime\" and \"phone\" are needed")
        }
        let (email, note) = (try params.string("email"), try params.string("notes"))
        let read: (time: AppointmentTime, clock: SalonClock?)
        do throws(InvalidTimeError) {
            read = try await times.read(time, at: salonID)
        } catch {
            throw RPCError(error, field: "appointmentTime")
        }
        clock = read.clock
        request = BookingRequest(
            salonID: salonID,
            time: read.time,
            phone: phone,
            email: email,
            note: note
        )
    }

    /// Names the salon and the time, and nothing that tells who the customer is.
    func question(_ salons: LoadedSalons) async throws(RPCError) -> String {
        do throws(InvalidTimeError) {
            _ = try clock?.read(.wallClock(request.time))
        } catch {
            throw RPCError(error, field: "appointmentTime")
        }
        let place = await salons.place(request.salonID)
        return "Book an appointment at \(place), \(TimeView(request.time, zone: clock?.zone))?"
    }
}

extension LoadedSalons {
    /// Where that is, for a person.
    func place(_ id: SalonID) async -> String {
        guard case .known(let salon, _) = await salon(id) else { return "salon \(id)" }
        return "\(salon.name), \(salon.location)"
    }
}
