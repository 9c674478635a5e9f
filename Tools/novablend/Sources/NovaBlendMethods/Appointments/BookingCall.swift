import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters

/// The parameters of a call that books an appointment or holds a time.
struct BookingCall {
    let request: BookingRequest
    let salon: RequestedSalon
    /// How long a hold lasts.
    let minutes: Int?
    let key: String?
    /// The clock of the salon's time zone, if one is known.
    var clock: SalonClock? { salon.zonedClock }

    init(
        _ params: Params,
        _ times: ReadSalonTime,
        _ salons: LoadedSalons
    ) async throws(RPCError) {
        let salonID = try await SalonReference.changedID(in: params, salons)
        let time = try params.read("appointmentTime", RequestedTimeCodec.read)
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
        minutes = try params.integer("minutes")
        key = try params.string(ConfirmedReply.key.name)
    }
}

/// The parameters of a call that changes an appointment. With a time, the call reschedules the
/// appointment; without a time, it cancels it.
struct ChangeCall {
    let request: ChangeRequest
    let key: String?

    var action: BookingAction.Name {
        if case .cancel = request.kind { .cancel } else { .reschedule }
    }

    init(_ params: Params) throws(RPCError) {
        guard let id = try params.string("id") else { throw .missing("id") }
        let time = try params.read(
            AppointmentMethods.appointmentTime.name,
            RequestedTimeCodec.read
        )
        request = ChangeRequest(
            id: id,
            version: try params.integer("version"),
            kind: try time.map { time throws(RPCError) in
                .reschedule(to: time, changing: try BookingOptionParameters.change(of: params))
            } ?? .cancel
        )
        key = try params.string(ConfirmedReply.key.name)
    }
}
