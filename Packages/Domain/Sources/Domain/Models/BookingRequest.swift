/// A customer's request for an appointment.
public struct BookingRequest: Sendable, Hashable {
    /// The salon.
    public var salonID: SalonID
    /// The start time.
    public var time: AppointmentTime
    /// The customer's phone number.
    public var phone: String
    /// The customer's email address.
    public var email: String?
    /// A note for the salon.
    public var note: String?
    /// The service, the staff member, and the number of seats.
    public var options: BookingOptions
    /// The id of the hold that becomes this booking; nil for a booking without a hold.
    public var holdID: String?
    /// In an intent from a journal, what was kept of the contact data that was removed from this
    /// request; nil if nothing was removed, or if nothing was kept.
    public var digest: ContactDigest?

    /// Creates a request without checking it. ``BookingRules`` has the checks.
    public init(
        salonID: SalonID,
        time: AppointmentTime,
        phone: String,
        email: String? = nil,
        note: String? = nil,
        options: BookingOptions = BookingOptions(),
        holdID: String? = nil
    ) {
        self.salonID = salonID
        self.time = time
        self.phone = phone
        self.email = email
        self.note = note
        self.options = options
        self.holdID = holdID
    }

    /// This request with its phone number and its email address as they were meant, whatever they were
    /// pasted from. An email address of which nothing remains is absent. What is not valid stays as
    /// it is, so that ``BookingRules`` can say why.
    public var normalized: BookingRequest {
        var request = self
        request.phone = (try? Phone.normalized(phone)) ?? phone
        request.email = email.flatMap { email in
            do { return try Email.normalized(email) } catch {
                return email
            }
        }
        return request
    }

    /// Whether both are the same request. UTC offsets do not matter, and phone numbers match even
    /// if they are written differently. A hold does not change what is booked.
    func isEquivalent(to other: BookingRequest) -> Bool {
        guard isRepetition(of: other) else { return false }
        if let digest { return digest.hasDetails(of: other) }
        return email == other.email && note == other.note
    }

    /// Whether both are the same booking (``isSameBooking(as:)``) with the same service, staff member,
    /// and number of seats. Email and note may differ.
    func isRepetition(of other: BookingRequest) -> Bool {
        isSameBooking(as: other) && options == other.options
    }

    /// Whether both have the same salon and instant, and phones that may be written differently.
    /// Everything else may differ.
    func isSameBooking(as other: BookingRequest) -> Bool {
        salonID == other.salonID && time.instant == other.time.instant
            && (phone.isEmpty ? hasPhone(other.phone) : other.hasPhone(phone)) == true
    }

    /// Whether both are at the same salon and start in the same minute.
    func isSameSlot(as other: BookingRequest) -> Bool {
        salonID == other.salonID && time.isSameMinute(as: other.time)
    }
}

/// What a customer can choose for an appointment besides the time.
public struct BookingOptions: Sendable, Hashable {
    /// The id of the service; nil for an appointment of the salon's usual length.
    public var serviceID: String?
    /// The id of the staff member; nil for anyone who is free.
    public var staffID: String?
    /// The number of seats, at least 1.
    public var seats: Int

    /// Creates options.
    public init(serviceID: String? = nil, staffID: String? = nil, seats: Int = 1) {
        self.serviceID = serviceID
        self.staffID = staffID
        self.seats = seats
    }

    /// Whether both name a staff member, and not the same one.
    func nameDifferentStaff(_ other: BookingOptions) -> Bool {
        if let staffID, let otherID = other.staffID { staffID != otherID } else { false }
    }
}
