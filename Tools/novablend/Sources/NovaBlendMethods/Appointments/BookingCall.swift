import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters

/// The parameters of a call that books an appointment or holds a time.
struct BookingCall {
    let request: BookingRequest
    let salon: RequestedSalon
    /// How long a hold lasts, in minutes; nil for the server's default.
    let minutes: Int?
    let key: String?
    /// Whether the call itself names the salon by its id, the time with its offset, and the service, if
    /// the salon has services.
    let isExplicit: Bool
    /// The clock of the salon's time zone, if one is known.
    var clock: SalonClock? { salon.zonedClock }

    init(
        _ params: Params,
        _ times: ReadSalonTime,
        _ salons: LoadedSalons
    ) async throws {
        // The salon can be unknown, so looking it up must leave enough time for the booking.
        CallBudget.current?.reserveLookup()
        let salonID = try await SalonReference.changedID(in: params, salons)
        let time = try params.read("appointmentTime", RequestedTimeCodec.read)
        guard let salonID else { throw RPCError.missing("salonId") }
        guard let time else { throw RPCError.missing("appointmentTime") }
        guard let phone = try params.string("phone") else { throw RPCError.missing("phone") }
        let (email, note) = (try params.string("email"), try params.string("notes"))
        var salon = await times.salon(salonID)
        let instant = try await salon.time(of: time)
        self.salon = salon
        let options = try BookingOptionParameters.options(of: params)
        isExplicit =
            SalonReference.isID(in: params) && time.hasOffset
            && (options.serviceID != nil || salon.known?.services.isEmpty == true)
        request = BookingRequest(
            salonID: salonID,
            time: instant,
            phone: phone,
            email: email,
            note: note,
            options: options,
            holdID: try BookingOptionParameters.id("holdId", in: params)
        )
        minutes = try params.integer("minutes")
        key = try params.string(ConfirmedReply.key.name)
    }
}

extension RequestedTime {
    /// Whether the caller stated the offset from UTC.
    fileprivate var hasOffset: Bool {
        switch self {
        case .instant, .wallClock: true
        case .local, .relative: false
        }
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
        guard let id = try params.string("id") else { throw RPCError.missing("id") }
        let time = try params.read(
            AppointmentMethods.appointmentTime.name,
            RequestedTimeCodec.read
        )
        request = ChangeRequest(
            id: ElementKey(id).description,
            version: try params.integer("version"),
            kind: try time.map { time throws(RPCError) in
                .reschedule(to: time, changing: try BookingOptionParameters.change(of: params))
            } ?? .cancel
        )
        key = try params.string(ConfirmedReply.key.name)
    }
}
