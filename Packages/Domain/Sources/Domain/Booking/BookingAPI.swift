/// The port to the server that makes and changes bookings.
public protocol BookingAPI: Sendable {
    /// The caller whose credentials requests currently use.
    var caller: Caller { get }

    /// Returns whether the slot that `request` names is free. The time of the appointment `id`, which
    /// the request moves, counts as free if the server supports that; nil if it moves none. Times
    /// that are not after `now` are no alternatives.
    func availability(
        for request: BookingRequest,
        moving id: String?,
        now: Timestamp
    ) async throws(Failure) -> SlotAvailability

    /// Returns the id of the staff member whom the server would assign to `request`, or to the
    /// appointment `id` that it moves; nil if the server does not say.
    func assignedStaffID(for request: BookingRequest, moving id: String?) async -> String?

    /// Sends `request` exactly once under `key`. Returns the appointment from a 200 or 201
    /// response.
    func book(_ request: BookingRequest, key: String) async throws(AttemptError)
        -> ReportedAppointment

    /// Sends `change` exactly once under `key`. Returns the appointment from a 200 or 201 response.
    func change(_ change: AppointmentChange, key: String) async throws(AttemptError)
        -> ReportedAppointment

    /// Returns the server's current appointments. The response must not come from a cache between
    /// the client and the server.
    func lookUp() async throws(Failure) -> ReportedAppointments

    /// Whether the server states that it honors idempotency keys. False if it does not say, or cannot
    /// be asked.
    func statesKeySupport() async -> Bool

    /// Voids `key`, so that the server rejects every later request under it.
    func void(_ key: String) async throws(Failure) -> KeyVoidResult
}

/// The result of voiding an idempotency key.
public enum KeyVoidResult: Sendable, Hashable {
    /// Nothing was done under the key, and nothing ever will be.
    case voided
    /// A request under the key was done. The value is its appointment, if the server reports it.
    case used(ReportedAppointment?)
    /// The server cannot void keys.
    case unsupported
}

/// Whether a server reports a slot as free.
public enum SlotAvailability: Sendable, Hashable {
    /// The slot is free. `later` contains the next free slots after it, if the server lists any.
    case available(later: [AppointmentTime] = [])
    /// The slot is taken. The alternatives are free slots after it, and perhaps before it.
    case taken(alternatives: [AppointmentTime])
    /// The slot cannot be booked although enough is free: a rule that the salon need not state forbids
    /// it. The alternatives are as for a slot that is taken.
    case notOffered(alternatives: [AppointmentTime])
    /// The server does not report availability. Only the booking itself shows whether the slot is
    /// free.
    case unsupported
    /// The server has no such salon.
    case salonNotFound
}

/// The port to the slots that a server offers.
public protocol SlotSource: Sendable {
    /// Requests slots.
    func slots(_ request: SlotRequest) async throws(Failure) -> OfferedSlots
}

/// The result of requesting slots from a server.
public enum OfferedSlots: Sendable, Hashable {
    /// The slots.
    case slots(SlotList)
    /// The server does not list slots.
    case unsupported
    /// The server has no such salon.
    case salonNotFound
}

/// The identity that requests are sent under, as far as it is known.
///
/// A server may show each caller only its own appointments, so one caller's list says nothing about
/// the appointments of a different caller.
public struct Caller: Sendable, Hashable {
    /// What stands for the `subject` that the server's list of appointments states; nil if it states
    /// none. A subject may contain personal data, such as a phone number, so it should be a hash.
    public var subject: String?
    /// The source of the credentials. It reveals no secret.
    public var credential: String

    /// Creates a caller.
    public init(subject: String? = nil, credential: String) {
        self.subject = subject
        self.credential = credential
    }

    /// Whether both are the same caller. Compares subjects if both have one, otherwise credentials.
    public func isSame(as other: Caller) -> Bool {
        if let subject, let otherSubject = other.subject { return subject == otherSubject }
        return credential == other.credential
    }
}

/// A request for the slots of a salon that start within a range.
public struct SlotRequest: Sendable, Hashable {
    /// The salon.
    public var salonID: SalonID
    /// The start of the range.
    public var start: AppointmentTime
    /// The exclusive end of the range.
    public var end: AppointmentTime
    /// What the customer chooses.
    public var options: BookingOptions
    /// The id of an appointment to move, whose own time counts as free; nil for none. A server may
    /// ignore it.
    public var movedID: String?
    /// Whether each slot should state which staff members are free.
    public var isExplained: Bool
    /// Whether the list should state whom the server would assign at the start of the range.
    public var isAssigned: Bool
    /// How many available slots are enough; the result may lack later ones. Nil for all slots.
    public var enough: Int?

    /// Creates a request.
    public init(
        salonID: SalonID,
        start: AppointmentTime,
        end: AppointmentTime,
        options: BookingOptions = BookingOptions(),
        movedID: String? = nil,
        isExplained: Bool = false,
        isAssigned: Bool = false,
        enough: Int? = nil
    ) {
        self.salonID = salonID
        self.start = start
        self.end = end
        self.options = options
        self.movedID = movedID
        self.isExplained = isExplained
        self.isAssigned = isAssigned
        self.enough = enough
    }
}
