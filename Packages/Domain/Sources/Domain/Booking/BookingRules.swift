/// The rules for booking requests that can be checked without a server.
public enum BookingRules {
    /// The maximum length of a note, in Unicode code points, as JSON Schema counts.
    public static let maximumNoteLength = 2_000
    /// The maximum length of an idempotency key, in bytes.
    public static let maximumKeyBytes = 255
    /// The maximum length of the id of a hold, in bytes.
    static let maximumHoldIDBytes = 64

    /// Checks the fields of a request: phone, email, note, hold, and time. Throws `invalidRequest` for
    /// the first field that is not valid.
    public static func check(_ request: BookingRequest, now: Timestamp) throws(Failure) {
        do { _ = try Phone.normalized(request.phone) } catch {
            throw .invalidRequest(field: "phone", reason: error.reason)
        }
        do { _ = try request.email.map(Email.normalized) } catch {
            throw .invalidRequest(field: "email", reason: error.reason)
        }
        if let note = request.note, note.unicodeScalars.count > maximumNoteLength {
            throw .invalidRequest(
                field: "notes",
                reason: "must have at most \(maximumNoteLength) characters"
            )
        }
        if let id = request.holdID { try check(holdID: id) }
        try check(request.time, now: now)
    }

    /// Checks that the time of an appointment is in the future. If not, throws `invalidRequest`.
    public static func check(_ time: AppointmentTime, now: Timestamp) throws(Failure) {
        guard time.instant > now else {
            throw .invalidRequest(field: "appointmentTime", reason: "must be in the future")
        }
    }

    /// Checks a request against the schedule of its salon and the intervals that are already
    /// booked. The server decides whether a hold that the request names lets it ignore the lead time.
    /// `moved` is the appointment that the request moves, or nil.
    ///
    /// - Throws: `invalidRequest` for a past time, and for a service, a staff member, or seats that
    ///   the salon does not offer. `outsideOpeningHours`, `notBookable`, or `slotUnavailable` for
    ///   any other time that cannot be booked.
    public static func check(
        _ request: BookingRequest,
        moving moved: Appointment? = nil,
        by schedule: Schedule,
        busy: [BusyInterval] = [],
        now: Timestamp
    ) throws(Failure) {
        let requirement = try schedule.requirement(for: request.options, moving: moved)
        let isHeld = request.holdID != nil
        try check(
            request.time,
            for: requirement,
            by: schedule,
            busy: busy,
            now: now,
            isHeld: isHeld
        )
    }

    /// Checks the time of an appointment against the schedule of its salon and the intervals that
    /// are already booked, with the errors of ``check(_:moving:by:busy:now:)``. `isHeld` says whether a hold
    /// reserves the time.
    public static func check(
        _ time: AppointmentTime,
        for requirement: Requirement,
        by schedule: Schedule,
        busy: [BusyInterval] = [],
        now: Timestamp,
        isHeld: Bool
    ) throws(Failure) {
        let instant = time.instant
        let rule = schedule.rule(
            blocking: instant,
            for: requirement,
            busy: busy,
            now: now,
            isHeld: isHeld
        )
        guard let rule else { return }
        let reason = rule.reason(for: schedule.clock.time(at: instant), in: schedule.salon)
        let free = schedule.alternatives(
            to: instant,
            for: requirement,
            busy: busy,
            now: now
        )
        switch rule {
        case .past:
            throw .invalidRequest(field: "appointmentTime", reason: "must be in the future")
        case .closedDay:
            throw .outsideOpeningHours([], reason: reason, alternatives: free)
        case .outsideHours(let hours):
            throw .outsideOpeningHours(hours, reason: reason, alternatives: free)
        case .taken: throw .slotUnavailable(alternatives: free)
        case .endsAfterHours, .offGrid, .notWorking, .tooSoon, .tooFarAhead:
            throw .notBookable(rule: rule.name, reason: reason, alternatives: free)
        }
    }

    /// Checks the id of a hold: 1 to 64 visible ASCII characters. Throws `invalidRequest` for any
    /// other text.
    public static func check(holdID: String) throws(Failure) {
        let isVisible = holdID.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isVisible, (1...maximumHoldIDBytes).contains(holdID.utf8.count) else {
            throw .invalidRequest(
                field: "holdId",
                reason: "must be 1 to \(maximumHoldIDBytes) visible ASCII characters"
            )
        }
    }

    /// Checks an idempotency key: 1 to 255 visible ASCII characters, so that it fits in an HTTP
    /// header. Throws `invalidRequest` for any other text.
    public static func check(key: String) throws(Failure) {
        let isVisible = key.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isVisible, (1...maximumKeyBytes).contains(key.utf8.count) else {
            throw .invalidRequest(
                field: "idempotencyKey",
                reason: "must be 1 to \(maximumKeyBytes) visible ASCII characters"
            )
        }
    }

    /// What a phone number must be, for people.
    public static let phoneForm =
        "a phone number of 5 to 15 digits that are not all 0, like +49 30 1234567"

    /// Whether `text` is a phone number; see ``Phone/normalized(_:allowsZeros:)``.
    public static func isPhone(_ text: String) -> Bool {
        (try? Phone.normalized(text)) != nil
    }

    /// Whether `text` is a phone number or has the form of one but only zeros.
    public static func hasPhoneForm(_ text: String) -> Bool {
        (try? Phone.normalized(text, allowsZeros: true)) != nil
    }
}
