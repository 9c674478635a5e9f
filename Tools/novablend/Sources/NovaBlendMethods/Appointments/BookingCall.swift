import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters

/// The parameters of a call that books an appointment or holds a time.
struct BookingCall {
    private(set) var request: BookingRequest
    let salon: RequestedSalon
    /// How long a hold lasts, in minutes; nil for the server's default.
    let minutes: Int?
    let key: String?
    /// Whether the call itself names the salon by its id, the time with its offset, and the service, if
    /// the salon has services.
    let isExplicit: Bool
    /// The clock of the salon's time zone, if one is known.
    var clock: SalonClock? { salon.zonedClock }

    /// Reads the parameters. What the call leaves out is taken from the hold that it names; what
    /// contradicts the hold is an error.
    init(
        _ params: Params,
        _ times: ReadSalonTime,
        _ salons: LoadedSalons,
        _ holding: HoldSlot
    ) async throws {
        // The salon can be unknown, so looking it up must leave enough time for the booking.
        CallBudget.current?.reserveLookup()
        let holdID = try BookingOptionParameters.id("holdId", in: params)
        let time = try params.read("appointmentTime", RequestedTimeCodec.read)
        let (phone, email) = (try params.string("phone"), try params.string("email"))
        let note = try params.string("notes")
        let options = try BookingOptionParameters.options(of: params)
        let hold = if let holdID { await holding.known(holdID) } else { nil as Hold? }
        let held = hold?.booking
        try Self.checkMissing(params, isHeld: holdID != nil, held)
        let given = try await SalonReference.changedID(in: params, salons)
        guard let salonID = given ?? held?.salonID else { throw RPCError.missing("salonId") }
        var salon = await times.salon(salonID)
        var instant = held?.time
        if let time { instant = try await salon.time(of: time) }
        guard let instant else { throw RPCError.missing("appointmentTime") }
        guard let phone = phone ?? held?.phone else { throw RPCError.missing("phone") }
        isExplicit =
            SalonReference.isID(in: params) && time?.hasOffset == true
            && (options.serviceID != nil || salon.known?.services.isEmpty == true)
        request = BookingRequest(
            salonID: salonID,
            time: instant,
            phone: phone,
            email: email,
            note: note,
            options: options,
            holdID: holdID
        )
        self.salon = salon
        if let hold { try Self.complete(&request, params, from: hold) }
        minutes = try params.integer("minutes")
        key = try params.string(ConfirmedReply.key.name)
    }
}

extension BookingCall {
    /// Throws -32602 that names everything that neither the call nor its hold states.
    private static func checkMissing(
        _ params: Params,
        isHeld: Bool,
        _ held: BookingRequest?
    ) throws(RPCError) {
        if held != nil { return }
        var missing: [Method.Parameter] = []
        for parameter in AppointmentMethods.neededParameters
        where try params.string(parameter.name) == nil { missing.append(parameter) }
        guard let first = missing.first else { return }
        let problems = missing.map { "\"\($0.name)\" is missing: \($0.summary)" }
        let reason =
            isHeld ? ["neither this program nor the server states what the hold is for"] : []
        throw .invalidParams((problems + reason).joined(separator: "; "), parameter: first.name)
    }

    /// Takes what the call leaves out from its hold. Throws -32602 that names everything that
    /// contradicts the hold.
    private static func complete(
        _ request: inout BookingRequest,
        _ params: Params,
        from hold: Hold
    ) throws(RPCError) {
        guard let held = hold.booking else { return }
        let (options, heldOptions) = (request.options, held.options)
        let staffID = hold.staffID ?? heldOptions.staffID
        let statesSeats = params.value(BookingOptionParameters.seats.name) != nil
        let contradictions = [
            ("salonId", request.salonID == held.salonID),
            ("appointmentTime", request.time.instant == held.time.instant),
            ("phone", Phone(request.phone).matches(Phone(held.phone))),
            ("serviceId", options.serviceID == nil || options.serviceID == heldOptions.serviceID),
            ("staffId", options.staffID == nil || staffID == nil || options.staffID == staffID),
            ("seats", !statesSeats || options.seats == heldOptions.seats),
        ].filter { !$0.1 }.map(\.0)
        guard let first = contradictions.first else {
            // The server compares the phone numbers without knowing country codes.
            request.phone = held.phone
            request.options.serviceID = options.serviceID ?? heldOptions.serviceID
            request.options.staffID = options.staffID ?? heldOptions.staffID
            request.options.seats = heldOptions.seats
            return
        }
        let names = contradictions.map { "\"\($0)\"" }.joined(separator: " and ")
        let time = ISO8601.formatRFC3339(held.time)
        let verb = contradictions.count == 1 ? "contradicts" : "contradict"
        let service = heldOptions.serviceID.map { ", for the service \($0)" } ?? ""
        throw .invalidParams(
            "\(names) \(verb) the hold, which is for \(time) at the salon \(held.salonID)\(service); "
                + "leave out what the hold states, or make a new hold",
            parameter: first
        )
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
