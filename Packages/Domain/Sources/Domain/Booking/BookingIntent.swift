/// A booking, or a change to one, that is durable before its first byte is sent.
public struct BookingIntent: Sendable, Hashable {
    /// What is known about the outcome.
    public enum State: Sendable, Hashable {
        /// The outcome is unknown. The request may have been sent.
        case pending
        /// The request was done. The value is the appointment at that time.
        case done(Appointment)
        /// The server rejected the request or did not list the appointment after the grace period.
        /// The key stays reserved, because the appointment may still appear.
        case notFound
        /// The request was not done and never will be under this key, or a person discarded it.
        case dropped
    }

    /// The idempotency key under which it is sent.
    public var key: String
    /// The requested action.
    public var action: BookingAction
    /// What is known about the outcome.
    public var state: State
    /// When the intent was created.
    public var createdAt: Timestamp
    /// The time just before the last attempt to send it.
    public var lastAttemptAt: Timestamp
    /// The caller who requested it.
    public var caller: Caller
    /// The appointments at the same salon and minute that were known before the first attempt.
    public var knownBefore: KnownAppointments
    /// A 2xx response that did not confirm the request, or nil.
    public var acceptance: Acceptance?
    /// Whether an attempt was rejected in a way that does not rule out the booking or change. Further
    /// attempts leave this as it is.
    public var wasRejected = false
    /// Whether the server showed the key, which proves that it honors keys.
    public var wasKeyShown = false

    /// Appointments that existed before an intent, and therefore are not evidence of it.
    public struct KnownAppointments: Sendable, Hashable {
        /// The ids of the appointments that have one.
        public var ids: Set<String>
        /// The number of appointments without an id.
        public var countWithoutID: Int

        /// Creates a set of known appointments.
        public init(ids: Set<String> = [], countWithoutID: Int = 0) {
            self.ids = ids
            self.countWithoutID = countWithoutID
        }
    }

    /// A 2xx response whose content does not confirm the request. After such a response, a list
    /// without the appointment does not prove that the request was not done.
    public struct Acceptance: Sendable, Hashable {
        /// The appointment id in the response, if there was one.
        public var id: String?

        /// Creates an acceptance.
        public init(id: String? = nil) { self.id = id }
    }

    /// Creates an intent that is about to be sent for the first time.
    public init(
        key: String,
        action: BookingAction,
        state: State = .pending,
        createdAt: Timestamp,
        caller: Caller,
        knownBefore: KnownAppointments = KnownAppointments()
    ) {
        self.key = key
        self.action = action
        self.state = state
        self.createdAt = createdAt
        lastAttemptAt = createdAt
        self.caller = caller
        self.knownBefore = knownBefore
    }

    /// Whether the outcome is unknown and may still become known.
    public var isOpen: Bool { state == .pending || state == .notFound }

    /// Whether every attempt was rejected. Its appointment may still appear: a proxy may have sent a
    /// second copy, or made the rejection itself.
    public var isRejected: Bool { state == .notFound && wasRejected }
}

extension BookingIntent {
    /// The grace period: how long after an attempt its request may still be in transit, in seconds. Until
    /// it ends, an intent that the server does not list stays in doubt.
    public static let graceSeconds: Int64 = 180

    /// The rest of the grace period at `now`, in seconds; 0 if it has ended.
    func graceLeft(at now: Timestamp) -> Int64 {
        max(0, Self.graceSeconds - now.seconds(since: lastAttemptAt))
    }

    /// How long before its time an appointment may be missing from a list, in seconds. It allows for
    /// the difference between the clocks.
    private static let unlistedSeconds: Int64 = 300

    /// Why absence from a list proves nothing if ``mayBeUnlisted(at:)``.
    static let unlisted =
        "the server does not list it, but it has begun or is about to, and some servers list only "
        + "future appointments"

    /// Whether a server that lists only future appointments may omit this one at `now`, because its
    /// time before or after the action has come or is about to.
    func mayBeUnlisted(at now: Timestamp) -> Bool {
        var times = [action.outcome.booking.time]
        if case .change(let change) = action { times.append(change.before.booking.time) }
        return times.contains { $0.instant.seconds(since: now) <= Self.unlistedSeconds }
    }
}

/// The action that an intent requests.
public enum BookingAction: Sendable, Hashable {
    /// Makes a booking.
    case book(BookingRequest)
    /// Changes a booking.
    case change(AppointmentChange)

    /// The name of an action.
    public enum Name: String, Sendable, CaseIterable {
        /// Makes a booking.
        case book
        /// Moves an appointment to a different time.
        case reschedule
        /// Cancels an appointment.
        case cancel
    }

    /// The name of this action.
    public var name: Name {
        switch self {
        case .book: .book
        case .change(let change): if case .cancel = change.kind { .cancel } else { .reschedule }
        }
    }

    /// The salon of the appointment.
    public var salonID: SalonID {
        switch self {
        case .book(let request): request.salonID
        case .change(let change): change.before.booking.salonID
        }
    }

    /// The expected appointment after the action.
    public var outcome: Appointment {
        switch self {
        case .book(let request): Appointment(booking: request)
        case .change(let change): change.outcome
        }
    }
}

/// Decides which reports confirm an intent. The response to a request and the entries of a list are
/// judged by the same rules.
///
/// Missing fields and masked phones are not differences, but they confirm nothing either. Notes and
/// emails do not count, because servers rewrite them.
extension BookingIntent {
    /// The appointment that the response to this intent's request confirms; nil if it does not
    /// confirm that the request was done. `claimed` are the ids of the appointments of other intents.
    func confirmation(by echo: ReportedAppointment, claimed: Set<String>) -> Appointment? {
        let isConfirmed =
            switch action {
            case .book(let request):
                echo.isConfirmed && mayBeBooked(as: echo, claimed: claimed)
                    && identifiesBooking(echo) && echo.hasPhone(of: request)
            case .change(let change):
                (echo.id == change.id || echo.id == nil && echo.idempotencyKey == key)
                    && change.isShown(by: echo)
            }
        return isConfirmed ? echo.completed(by: action.outcome) : nil
    }

    /// Whether `report` may describe the booking of this intent, as it was requested: nothing that
    /// it states contradicts this. Its status does not matter.
    func mayBeBooked(as report: ReportedAppointment, claimed: Set<String>) -> Bool {
        guard case .book(let request) = action,
            report.salonID ?? request.salonID == request.salonID,
            report.time?.isSameMinute(as: request.time) ?? true,
            report.isCompatible(with: request.options)
        else { return false }
        if let reportedKey = report.idempotencyKey { return reportedKey == key }
        guard let id = report.id else { return true }
        return !knownBefore.ids.contains(id) && !claimed.contains(id)
    }

    /// Whether the response to a booking states enough to be about this booking: the key, or the time
    /// together with the salon or an id.
    private func identifiesBooking(_ echo: ReportedAppointment) -> Bool {
        echo.idempotencyKey == key || echo.time != nil && (echo.salonID != nil || echo.id != nil)
    }
}

extension AppointmentChange {
    /// Whether `report`, which is about the appointment of this change, shows the change.
    func isShown(by report: ReportedAppointment) -> Bool {
        switch kind {
        case .cancel: report.error == nil && report.status == .cancelled
        case .reschedule(let time, let options):
            // If the time stays the same, only a later version can show the change of the options.
            // Otherwise the version does not count: the repeated response to an old key may have an
            // old one.
            report.isConfirmed && report.shows(time, options)
                && (!time.isSameMinute(as: before.booking.time)
                    || report.version.map { $0 > version } ?? true)
        }
    }
}

extension ReportedAppointment {
    /// Whether the server states that the appointment is booked, and no error.
    var isConfirmed: Bool { error == nil && status == .booked }

    /// The error or the unknown status because of which the report proves nothing; nil if there is
    /// neither.
    var caveat: String? {
        if let error { return "an error: \(error)" }
        if case .other(let name) = status { return "the status \(name)" }
        return nil
    }

    /// Whether the phone is missing or masked, or may be that of `request`.
    fileprivate func hasPhone(of request: BookingRequest) -> Bool {
        phone.flatMap(request.hasPhone) ?? true
    }
}
