/// What a customer asks for (seed 000, second model).
public struct BookingRequest: Sendable, Hashable {
    /// The salon to go to.
    public var salonID: SalonID
    /// When.
    public var time: AppointmentTime
    /// How the salon reaches the customer.
    public var phone: String
    /// Another way to reach the customer.
    public var email: String?
    /// Anything the salon should know.
    public var note: String?

    /// Makes a request; nothing is checked here, see ``BookingRules``.
    public init(
        salonID: SalonID,
        time: AppointmentTime,
        phone: String,
        email: String? = nil,
        note: String? = nil
    ) {
        self.salonID = salonID
        self.time = time
        self.phone = phone
        self.email = email
        self.note = note
    }

    /// Whether both request the same. The offset is ignored: an instant is the same on every clock.
    func isEquivalent(to other: BookingRequest) -> Bool {
        isSameBooking(as: other) && email == other.email && note == other.note
    }

    /// Whether both are one booking: same salon, instant, and phone. Email and note may differ.
    public func isSameBooking(as other: BookingRequest) -> Bool {
        salonID == other.salonID && time.instant == other.time.instant
            && (phone == other.phone || Phone(phone).matches(Phone(other.phone)))
    }

    /// Whether both begin in the same minute at the same salon.
    func isSameSlot(as other: BookingRequest) -> Bool {
        salonID == other.salonID && time.isSameMinute(as: other.time)
    }
}
