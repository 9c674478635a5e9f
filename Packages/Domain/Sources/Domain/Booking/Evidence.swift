/// The conclusion that an uncached list of the server's appointments allows about an intent.
enum Evidence: Sendable, Hashable {
    /// The intent was done. The value is the current appointment.
    case done(Appointment)
    /// The intent has not been done so far. Its request may still be in transit. For a change,
    /// `current` is the unchanged appointment.
    case absent(current: Appointment?)
    /// The intent can no longer be done: its appointment has changed to the given one, was
    /// cancelled, or is gone. A booking may have been done before that.
    case superseded(by: Appointment?)
    /// The list allows no conclusion.
    case inconclusive(reason: String)

    var isDone: Bool { if case .done = self { true } else { false } }

    /// Evaluates `list`, which the server sent just before `now`, as evidence about `intent`. The
    /// appointments of `otherIntents` do not count.
    init(
        _ list: ReportedAppointments,
        about intent: BookingIntent,
        otherIntents: [BookingIntent],
        now: Timestamp
    ) {
        switch intent.action {
        case .book(let request):
            let claimed = BookingIntent.KnownAppointments(otherIntents, at: request)
            self = Self.booking(request, intent, list, claimed)
        case .change(let change):
            let found = list.appointments.first { $0.id == change.id }
            self =
                found.map { Self.change(change, to: $0, list) }
                ?? Self.absence(after: change, intent, list, now)
        }
        // A different caller may see fewer appointments, so absence from its list proves nothing.
        guard !list.caller.isSame(as: intent.caller) else { return }
        if isDone { return }
        self = Self.differentCaller
    }

    private static let differentCaller = Evidence.inconclusive(
        reason: "it was sent with different credentials, which may see more appointments"
    )

    private static func booking(
        _ request: BookingRequest,
        _ intent: BookingIntent,
        _ list: ReportedAppointments,
        _ claimed: BookingIntent.KnownAppointments
    ) -> Evidence {
        if let match = intent.match(in: list.appointments, claimed.ids) {
            return .own(match, request)
        }
        let candidates = list.appointments.filter { candidate in
            candidate.status != .cancelled && candidate.idempotencyKey == nil
                && intent.mayBeBooked(as: candidate, claimed: claimed.ids)
        }
        let matches = candidates.filter { candidate in
            !candidate.lacksSlot && candidate.phone.flatMap(request.hasPhone) == true
        }
        // Appointments without an id can only be counted.
        let old = max(intent.knownBefore.countWithoutID, claimed.countWithoutID)
        let new = matches.filter { $0.id != nil } + matches.filter { $0.id == nil }.dropFirst(old)
        if let found = new.first(where: \.isConfirmed) ?? new.first {
            return .own(found, request)
        }
        let isUnclear = candidates.contains { candidate in
            candidate.lacksSlot || candidate.phone.flatMap(request.hasPhone) == nil
        }
        if isUnclear {
            return .inconclusive(
                reason:
                    "the server lists an appointment that may be this one, but without a salon, a "
                    + "time, or a phone that could be compared"
            )
        }
        guard list.isComplete else {
            return .inconclusive(reason: "the server does not list it, but its list is incomplete")
        }
        return .absent(current: nil)
    }

    /// A complete list of the same caller lacks the appointment only if it was cancelled, or if the
    /// server no longer lists it because it has begun.
    private static func absence(
        after change: AppointmentChange,
        _ intent: BookingIntent,
        _ list: ReportedAppointments,
        _ now: Timestamp
    ) -> Evidence {
        guard list.isComplete else {
            return .inconclusive(
                reason: "the server does not list the appointment, but its list is incomplete"
            )
        }
        guard list.caller.isSame(as: intent.caller) else { return differentCaller }
        guard !intent.mayBeUnlisted(at: now) else {
            return .inconclusive(reason: BookingIntent.unlisted)
        }
        return change.kind == .cancel ? .done(change.outcome) : .superseded(by: nil)
    }

    /// The version makes this certain. While the appointment has the version that the change names,
    /// the change has not been done; a list from a cache may show an old version, so it proves
    /// nothing. Once the appointment has a later version, the server rejects the change.
    private static func change(
        _ change: AppointmentChange,
        to found: ReportedAppointment,
        _ list: ReportedAppointments
    ) -> Evidence {
        let current = found.completed(by: change.before)
        let isLater = current.version.map { $0 > change.version } ?? false
        if let caveat = found.caveat,
            found.error != nil || isLater || current.status != change.before.status
        {
            return .inconclusive(reason: listed(with: caveat))
        }
        switch (change.kind, current.status) {
        case (.cancel, .cancelled): return .done(current)
        case (.reschedule, .cancelled): return .superseded(by: current)
        case _ where !isLater:
            guard list.isComplete else {
                return .inconclusive(
                    reason: "the server lists the appointment without the change, but its list "
                        + "may be old"
                )
            }
            return .absent(current: current)
        default:
            guard change.isShown(by: found) else { return .superseded(by: current) }
            return .done(found.completed(by: change.outcome))
        }
    }

    /// The conclusion from `found`, the booking of `request`. It may have changed since it was booked.
    private static func own(_ found: ReportedAppointment, _ request: BookingRequest) -> Evidence {
        let current = found.completed(by: Appointment(booking: request))
        if let caveat = found.caveat { return .inconclusive(reason: listed(with: caveat)) }
        return current.isActive ? .done(current) : .superseded(by: current)
    }

    private static func listed(with caveat: String) -> String {
        "the server lists it with \(caveat)"
    }
}

extension BookingIntent {
    /// The appointment that certainly belongs to this intent: it has the intent's key, or the id
    /// from an earlier response.
    fileprivate func match(
        in appointments: [ReportedAppointment],
        _ claimed: Set<String>
    ) -> ReportedAppointment? {
        let keyed = appointments.filter { $0.idempotencyKey == key }
        if let match = keyed.first(where: \.isConfirmed) ?? keyed.first { return match }
        guard let id = acceptance?.id else { return nil }
        return appointments.first { $0.id == id && mayBeBooked(as: $0, claimed: claimed) }
    }
}

extension BookingIntent.KnownAppointments {
    /// Describes those of `appointments` that are at the salon and minute of `request`. One without
    /// an id counts only if it is the same booking.
    init(_ appointments: [Appointment], at request: BookingRequest) {
        let known = appointments.filter { $0.booking.isSameSlot(as: request) }
        self.init(
            ids: Set(known.compactMap(\.id)),
            countWithoutID: known.count { $0.id == nil && $0.booking.isSameBooking(as: request) }
        )
    }

    /// Describes the appointments that `intents` made or changed. One without an id counts only if
    /// it is the same booking as `request`.
    fileprivate init(_ intents: [BookingIntent], at request: BookingRequest) {
        self.init(intents.compactMap(\.state.appointment), at: request)
        ids.formUnion(Self.ids(of: intents))
    }

    /// The ids of the appointments that `intents` made or changed.
    static func ids(of intents: [BookingIntent]) -> Set<String> {
        Set(intents.compactMap { $0.state.appointment?.id })
    }
}

extension ReportedAppointment {
    /// Whether the salon or the time is missing.
    fileprivate var lacksSlot: Bool { salonID == nil || time == nil }
}

extension BookingIntent.State {
    fileprivate var appointment: Appointment? {
        if case .done(let appointment) = self { appointment } else { nil }
    }
}
