public import Domain

/// A hold in the store.
public struct StoredHold: Sendable, Hashable {
    /// How long an ended hold is remembered: a day, in seconds.
    public static let retentionSeconds: Int64 = 86_400
    /// The maximum number of active holds of a caller.
    public static let maximumPerCaller = 3

    /// The identifier, unique in the store.
    public let id: String
    /// For whom the time is held, as in ``BookingRequest/caller``. Only a booking of the same
    /// caller can use the hold.
    public let caller: String
    /// What is held. The options name the staff member who is reserved.
    public var booking: BookingRequest
    /// The length of the appointment in minutes, without buffers.
    public var minutes: Int
    /// The minutes before the appointment that are held, too.
    public var bufferBefore: Int
    /// The minutes after the appointment that are held, too.
    public var bufferAfter: Int
    /// Whether the store chose the staff member, because the request named none.
    public var isStaffAssigned: Bool
    /// When the hold ends, or when it ended because it was released or became an appointment.
    public var expiresAt: Timestamp

    /// Creates a hold.
    public init(
        id: String,
        caller: String,
        booking: BookingRequest,
        minutes: Int,
        bufferBefore: Int = 0,
        bufferAfter: Int = 0,
        isStaffAssigned: Bool = false,
        expiresAt: Timestamp
    ) {
        self.id = id
        self.caller = caller
        self.booking = booking
        self.minutes = minutes
        self.bufferBefore = bufferBefore
        self.bufferAfter = bufferAfter
        self.isStaffAssigned = isStaffAssigned
        self.expiresAt = expiresAt
    }

    /// The hold in the form of the contract.
    public var hold: Hold {
        Hold(id: id, expiresAt: expiresAt, staffID: booking.options.staffID)
    }

    /// Whether this holds what `other` books: the salon, start, service, and seats, and the staff
    /// member if `other` names one.
    public func holds(_ other: BookingRequest) -> Bool {
        let (options, wanted) = (booking.options, other.options)
        return booking.salonID == other.salonID && booking.time.instant == other.time.instant
            && options.serviceID == wanted.serviceID && options.seats == wanted.seats
            && (wanted.staffID == nil || wanted.staffID == options.staffID)
    }

    /// Creates a hold of a booking, without its length and a staff member whom the store chooses.
    package init(of booking: BookingRequest, until expiry: Timestamp) {
        self.init(
            id: Identifier.timeOrdered().description,
            caller: booking.caller,
            booking: booking,
            minutes: 0,
            expiresAt: expiry
        )
        // The email address, the note, and the id of a hold are not part of a reservation.
        (self.booking.email, self.booking.note, self.booking.holdID) = (nil, nil, nil)
    }

    /// Whether a booking that names this hold gets its time. If the hold has ended, the time may be
    /// taken. Throws if the booking is by someone else or for something else.
    package func isActive(for other: BookingRequest, now: Timestamp) throws(Problem) -> Bool {
        guard expiresAt > now else { return false }
        guard caller == other.caller else { throw .notYourHold }
        guard holds(other) else { throw .holdMismatch }
        return true
    }

    /// Throws `tooManyHolds` if a caller with these active holds, which are ordered by their expiry,
    /// may not have another.
    package static func checkCount(
        _ active: [StoredHold],
        now: Timestamp
    ) throws(Problem) {
        guard active.count >= maximumPerCaller, let first = active.first else { return }
        throw .tooManyHolds(retryAfterSeconds: first.expiresAt.seconds(since: now))
    }
}

extension BookingRequest {
    /// The customer of the booking: the digits of the phone number, without leading zeros and without
    /// an extension.
    public var caller: String { Self.caller(phone: phone) }

    /// The digits of a phone number, without leading zeros and without an extension.
    public static func caller(phone: String) -> String { Phone(phone).digits }
}
