import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters

/// The parameters of a call that books an appointment.
struct BookingCall {
    let request: BookingRequest
    let salon: RequestedSalon
    /// The clock of the salon's time zone, if one is known.
    var clock: SalonClock? { salon.zonedClock }

    init(
        _ params: Params,
        _ times: ReadSalonTime,
        _ salons: LoadedSalons
    ) async throws(RPCError) {
        let salonID = try await SalonReference.changedID(in: params, salons)
        let time = try params.read("appointmentTime") { value throws(JSONError) in
            try RequestedTimeCodec.read(value)
        }
        guard let salonID else { throw .missing("salonId") }
        guard let time else { throw .missing("appointmentTime") }
        guard let phone = try params.string("phone") else { throw .missing("phone") }
        let (email, note) = (try params.string("email"), try params.string("notes"))
        var salon = await times.salon(salonID)
        let instant: AppointmentTime
        do throws(InvalidTimeError) {
            instant = try await salon.time(of: time)
        } catch {
            throw RPCError(error, field: "appointmentTime")
        }
        self.salon = salon
        request = BookingRequest(
            salonID: salonID,
            time: instant,
            phone: phone,
            email: email,
            note: note,
            options: try BookingOptionParameters.options(of: params),
            holdID: try BookingOptionParameters.id("holdId", in: params)
        )
    }
}
