/// The conclusion that an uncached list of the server's appointments allows about an intent.
enum Evidence: Sendable, Hashable {
    /// The intent was done. The value is the current appointment.
    case done(Appointment)
    /// The intent has not been done so far. Its request may still be in transit. For a change,
    /// `current` is the unchanged appointment.
    case absent(current: Appointment?)
    /// The intent was not done and no longer can be: the appointment has changed to the given one,
    /// or is gone.
    case superseded(by: Appointment?)
    /// The list allows no conclusion.
    case inconclusive(reason: String)

    var isDone: Bool { if case .done = self { true } else { false } }

    /// Evaluates `list` as evidence about `intent`. The appointments of `otherIntents` do not
    /// count.
    init(
        _ list: ReportedAppointments,
        about intent: BookingIntent,
        otherIntents: [BookingIntent]
    ) {
        switch intent.action {
        case .book(let request):
            let claimed = BookingIntent.KnownAppointments(otherIntents, at: request)
            self = Self.booking(request, intent, list, claimed)
        case .change(let change):
            self = Self.change(change, intent, list)
        }
        // A different caller may see fewer appointments, so absence from its list proves nothing.
        guard !list.caller.isSame(as: intent.caller) else { return }
        if isDone { return }
        self = .inconclusive(
            reason: "it was sent with different credentials, which may see more appointments"
        )
    }

    private static func booking(
        _ request: BookingRequest,
        _ intent: BookingIntent,
        _ list: ReportedAppointments,
        _ claimed: BookingIntent.KnownAppointments
    ) -> Evidence {
        if let match = intent.match(in: list.appointments) {
            return .done(match.completed(by: Appointment(booking: request)))
        }
        let ids = intent.knownBefore.ids.union(claimed.ids)
        let candidates = list.appointments.filter { candidate in
            candidate.isCompatible(with: request) && candidate.idempotencyKey == nil
                && !(candidate.id.map(ids.contains) ?? false)
        }
        let phone = Phone(request.phone)
        let matches = candidates.filter { candidate in
            !candidate.lacksIdentifyingField
                && candidate.phone.map { Phone($0).matches(phone) } == true
        }
        // Appointments without an id can only be counted.
        let old = max(intent.knownBefore.countWithoutID, claimed.countWithoutID)
        let new = matches.filter { $0.id != nil } + matches.filter { $0.id == nil }.dropFirst(old)
        if let found = new.first {
            return .done(found.completed(by: Appointment(booking: request)))
        }
        if candidates.contains(where: \.lacksIdentifyingField) {
            return .inconclusive(
                reason:
                    "the server lists an appointment that may be this one, but without a salon, "
                    + "time, or readable phone"
            )
        }
        guard list.isComplete else {
            return .inconclusive(reason: "the server does not list it, but its list is incomplete")
        }
        return .absent(current: nil)
    }

    /// The version makes this certain. While the appointment has the version that the change names,
    /// the change has not been done; a list from a cache may show an old version, so it proves
    /// nothing. Once the appointment has a later version, the server rejects the change.
    private static func change(
        _ change: AppointmentChange,
        _ intent: BookingIntent,
        _ list: ReportedAppointments
    ) -> Evidence {
        guard let found = list.appointments.first(where: { $0.id == change.id }) else {
            guard list.isComplete else {
                return .inconclusive(
                    reason: "the server does not list the appointment, but its list is incomplete"
                )
            }
            return change.kind == .cancel ? .done(change.outcome) : .superseded(by: nil)
        }
        let current = found.completed(by: change.before)
        let isLater = current.version.map { $0 > change.version } ?? false
        switch (change.kind, current.status) {
        case (.cancel, .cancelled): return .done(current)
        case (.reschedule, .cancelled): return .superseded(by: current)
        case (_, .booked) where !isLater:
            guard list.isComplete else {
                return .inconclusive(
                    reason: "the server lists the appointment without the change, but its list "
                        + "may be old"
                )
            }
            return .absent(current: current)
        case (.cancel, .booked): return .superseded(by: current)
        case (.reschedule(let time, let options), .booked):
            guard found.shows(time, options) else { return .superseded(by: current) }
            return .done(found.completed(by: change.outcome))
        }
    }
}

extension BookingIntent {
    /// The appointment that certainly belongs to this intent: it has the intent's key, or the id
    /// from an earlier response.
    fileprivate func match(in appointments: [ReportedAppointment]) -> ReportedAppointment? {
        if let match = appointments.first(where: { $0.idempotencyKey == key }) { return match }
        guard let id = acceptance?.id, case .book(let request) = action else { return nil }
        return appointments.first {
            $0.id == id && $0.status == .booked && $0.isCompatible(with: request)
        }
    }
}

extension BookingIntent.KnownAppointments {
    /// Describes those of `appointments` that are at the salon and minute of `request`.
    init(_ appointments: [Appointment], at request: BookingRequest) {
        let known = appointments.filter { $0.booking.isSameSlot(as: request) }
        self.init(
            ids: Set(known.compactMap(\.id)),
            countWithoutID: known.count { $0.id == nil && $0.booking.isSameBooking(as: request) }
        )
    }

    /// Describes the appointments that `intents` made or changed. Those without an id count only if
    /// they are the same booking as `request`.
    fileprivate init(_ intents: [BookingIntent], at request: BookingRequest) {
        let done = intents.compactMap { intent -> Appointment? in
            if case .done(let appointment) = intent.state { appointment } else { nil }
        }
        self.init(done, at: request)
        ids.formUnion(done.compactMap(\.id))
    }
}

extension ReportedAppointment {
    /// Whether this appointment is booked, and its salon, minute, service, staff member, and seats,
    /// where reported, are those of `request`.
    fileprivate func isCompatible(with request: BookingRequest) -> Bool {
        status == .booked && salonID ?? request.salonID == request.salonID
            && (time?.isSameMinute(as: request.time) ?? true)
            && isCompatible(with: request.options)
    }

    /// Whether the salon or the time is missing, or the phone is missing or masked.
    fileprivate var lacksIdentifyingField: Bool {
        salonID == nil || time == nil || (phone.map { Phone($0).isMasked } ?? true)
    }
}
