/// What an uncached list of the server's appointments proves about an intent.
enum Evidence: Sendable, Hashable {
    /// It was done; this is the appointment now.
    case done(Appointment)
    /// The server shows that it was not done so far. It may still be on its way.
    case absent(shown: Appointment?)
    /// It was not done and cannot be any more: the appointment has changed since, or is gone.
    case superseded(by: Appointment?)
    /// The list allows no conclusion.
    case inconclusive(reason: String)

    /// Reads `list` as evidence about `intent`. Appointments of `others` are not evidence.
    init(_ list: ReportedAppointments, about intent: BookingIntent, others: [BookingIntent]) {
        switch intent.action {
        case .book(let request):
            let claimed = BookingIntent.KnownAppointments(others, at: request)
            self = Self.booking(request, intent, list, claimed)
        case .change(let change):
            self = Self.change(change, intent, list)
        }
        // A different caller may see less, so only what it does see counts.
        guard !list.caller.isSame(as: intent.caller) else { return }
        if case .done = self { return }
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
            candidate.mayBe(request) && candidate.idempotencyKey == nil
                && !(candidate.id.map(ids.contains) ?? false)
        }
        let phone = Phone(request.phone)
        let matches = candidates.filter { candidate in
            !candidate.isVague && candidate.phone.map { Phone($0).matches(phone) } == true
        }
        // Appointments without an id can only be counted.
        let old = max(intent.knownBefore.countWithoutID, claimed.countWithoutID)
        let new = matches.filter { $0.id != nil } + matches.filter { $0.id == nil }.dropFirst(old)
        if let found = new.first {
            return .done(found.completed(by: Appointment(booking: request)))
        }
        if candidates.contains(where: \.isVague) {
            return .inconclusive(
                reason: "the server shows an appointment at that time without a readable phone"
            )
        }
        guard list.isComplete else {
            return .inconclusive(reason: "the server does not show it, and its list is incomplete")
        }
        return .absent(shown: nil)
    }

    /// The precondition is what makes this certain: while the appointment has the version that the
    /// change names, the change was not done, and once it has a later one it never will be.
    private static func change(
        _ change: AppointmentChange,
        _ intent: BookingIntent,
        _ list: ReportedAppointments
    ) -> Evidence {
        guard let found = list.appointments.first(where: { $0.id == change.id }) else {
            guard list.isComplete else {
                return .inconclusive(reason: "the appointment is not in the part that is listed")
            }
            return change.kind == .cancel ? .done(change.outcome) : .superseded(by: nil)
        }
        let now = found.completed(by: change.before)
        let isLater = now.version.map { $0 > change.version } ?? false
        switch (change.kind, now.status) {
        case (.cancel, .cancelled): return .done(now)
        case (.reschedule, .cancelled): return .superseded(by: now)
        case (.cancel, .booked): return isLater ? .superseded(by: now) : .absent(shown: now)
        case (.reschedule(let time), .booked):
            guard isLater else { return .absent(shown: now) }
            let isThere = found.time?.isSameMinute(as: time) ?? false
            return isThere ? .done(now) : .superseded(by: now)
        }
    }
}

extension BookingIntent {
    /// The appointment that is surely this intent's: by its key, or by the id of an earlier answer.
    fileprivate func match(in appointments: [ReportedAppointment]) -> ReportedAppointment? {
        if let match = appointments.first(where: { $0.idempotencyKey == key }) { return match }
        guard let id = acceptance?.id, case .book(let request) = action else { return nil }
        return appointments.first {
            $0.id == id && $0.status == .booked && $0.mayBe(request)
        }
    }
}

extension BookingIntent.KnownAppointments {
    /// What is booked at the salon and minute of `request`.
    init(_ appointments: [Appointment], at request: BookingRequest) {
        let known = appointments.filter { $0.booking.isSameSlot(as: request) }
        self.init(
            ids: Set(known.compactMap(\.id)),
            countWithoutID: known.count { $0.id == nil && $0.booking.isSameBooking(as: request) }
        )
    }

    /// What `intents` made or changed; those without an id at the slot of `request` alone.
    fileprivate init(_ intents: [BookingIntent], at request: BookingRequest) {
        let done = intents.compactMap { intent -> Appointment? in
            if case .done(let appointment) = intent.state { appointment } else { nil }
        }
        self.init(done, at: request)
        ids.formUnion(done.compactMap(\.id))
    }
}

extension ReportedAppointment {
    /// Whether it is booked, and nothing that it names contradicts salon and minute of `request`.
    fileprivate func mayBe(_ request: BookingRequest) -> Bool {
        status == .booked && salonID ?? request.salonID == request.salonID
            && (time?.isSameMinute(as: request.time) ?? true)
    }

    /// Whether a field that could distinguish it from a different appointment is missing or unreadable.
    fileprivate var isVague: Bool {
        salonID == nil || time == nil || (phone.map { Phone($0).isMasked } ?? true)
    }
}
