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
        var chosen = booking
        if isStaffAssigned { chosen.options.staffID = nil }
        return Hold(
            id: id,
            expiresAt: expiresAt,
            staffID: booking.options.staffID,
            booking: chosen
        )
    }

    /// The members of `other` that contradict what is held: the salon, start, service, and seats, and
    /// the staff member if `other` names one.
    public func contradictions(of other: BookingRequest) -> [String] {
        let (options, wanted) = (booking.options, other.options)
        let members = [
            ("salonId", booking.salonID == other.salonID),
            ("appointmentTime", booking.time.instant == other.time.instant),
            ("serviceId", options.serviceID == wanted.serviceID),
            ("staffId", wanted.staffID == nil || wanted.staffID == options.staffID),
            ("seats", options.seats == wanted.seats),
        ]
        return members.filter { !$0.1 }.map(\.0)
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
        let contradictions = contradictions(of: other)
        guard contradictions.isEmpty else { throw .holdMismatch(contradictions) }
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

extension StoredHold: StoredRow {
    package enum Column: Int32, RowColumn {
        case id, caller, salonID, instant, offsetMinutes, minutes, bufferBefore, bufferAfter
        case phone, serviceID, staffID, staffAssigned, seats, expiresAt
    }

    package static let columns = Column.list
    /// The columns in the order of ``values(of:)``.
    package static let insertedColumns = "\(columns), idempotency_key, key_caller, body_fingerprint"

    static let byID = SQL("SELECT \(columns) FROM holds WHERE id = $1")
    static let delete = SQL("DELETE FROM holds WHERE id = $1")
    package static let end = SQL("UPDATE holds SET expires_at = $2 WHERE id = $1")

    /// - Parameter request: The request that makes the hold; nil if it has no key.
    package func values(of request: KeyedRequest?) -> [any SQLParameter] {
        Column.allCases.map(value) + [
            request?.key.text, request?.key.caller ?? "", request?.storedFingerprint,
        ]
    }

    private func value(of column: Column) -> any SQLParameter {
        switch column {
        case .id: id
        case .caller: caller
        case .salonID: booking.salonID
        case .instant: booking.time.instant
        case .offsetMinutes: booking.time.offsetMinutes
        case .minutes: minutes
        case .bufferBefore: bufferBefore
        case .bufferAfter: bufferAfter
        case .phone: booking.phone
        case .serviceID: booking.options.serviceID
        case .staffID: booking.options.staffID
        case .staffAssigned: isStaffAssigned
        case .seats: booking.options.seats
        case .expiresAt: expiresAt
        }
    }

    package init(row: some ColumnReader) throws(StorageFailure) {
        guard let salonID = row.salonID(Column.salonID) else {
            throw StorageFailure(.corrupted, "a stored hold is invalid")
        }
        let options = BookingOptions(
            serviceID: row.optionalText(Column.serviceID),
            staffID: row.optionalText(Column.staffID),
            seats: row.int(Column.seats)
        )
        let booking = BookingRequest(
            salonID: salonID,
            time: AppointmentTime(
                instant: row.timestamp(Column.instant),
                offsetMinutes: row.int(Column.offsetMinutes)
            ),
            phone: row.text(Column.phone),
            options: options
        )
        self.init(
            id: row.text(Column.id),
            caller: row.text(Column.caller),
            booking: booking,
            minutes: row.int(Column.minutes),
            bufferBefore: row.int(Column.bufferBefore),
            bufferAfter: row.int(Column.bufferAfter),
            isStaffAssigned: row.bool(Column.staffAssigned),
            expiresAt: row.timestamp(Column.expiresAt)
        )
    }
}

/// A hold that the key of a request has made, and the body of that request.
package struct KeyedHold: StoredRow {
    package static let columns = "\(StoredHold.columns), body_fingerprint"

    let hold: StoredHold
    let bodyFingerprint: UInt64

    package init(row: some ColumnReader) throws(StorageFailure) {
        hold = try StoredHold(row: row)
        bodyFingerprint = UInt64(bitPattern: row.integer(StoredHold.Column.numberOfColumns))
    }
}

/// The statements of holds.
package struct HoldStatements: Sendable {
    /// Finds a hold by its id, and locks it until the end of the transaction.
    package let byID: SQL
    /// The active holds of a caller, by their expiry.
    package let active: SQL
    package let activeWithKey: SQL
    private let insert: SQL
    private let activeCount: SQL
    private let hasBusyColumns: Bool

    /// - Parameters:
    ///   - now: The current time, as an SQL expression in which the parameter with this number is the
    ///     time of the clock.
    ///   - lock: What makes a query lock a row.
    ///   - hasBusyColumns: Whether the table stores the occupied time, including buffers.
    package init(now: (Int) -> String, lock: String = "", hasBusyColumns: Bool = false) {
        let columns = StoredHold.columns
        let busyColumns = hasBusyColumns ? ", busy_start, busy_end" : ""
        let inserted = StoredHold.insertedColumns + busyColumns
        byID = SQL("SELECT \(columns) FROM holds WHERE id = $1\(lock)")
        active = SQL(
            """
            SELECT \(columns) FROM holds
            WHERE caller = $1 AND expires_at > \(now(2)) ORDER BY expires_at
            """
        )
        activeWithKey = SQL(
            """
            SELECT \(KeyedHold.columns) FROM holds
            WHERE salon_id = $1 AND expires_at > \(now(2))
                AND idempotency_key = $3 AND key_caller = $4
            """
        )
        insert = SQL("INSERT INTO holds (\(inserted)) VALUES (\(SQL.parameters(for: inserted)))")
        activeCount = SQL("SELECT count(*) FROM holds WHERE expires_at > \(now(1))")
        self.hasBusyColumns = hasBusyColumns
    }

    package func insert(_ hold: StoredHold, as request: KeyedRequest?) -> Query<Int> {
        let busy = hold.interval
        let busyColumns: [any SQLParameter] = hasBusyColumns ? [busy.start, busy.end] : []
        return Query(insert, values: hold.values(of: request) + busyColumns)
    }

    /// Reads a hold and locks it until the end of the transaction.
    package func lock(_ id: String?) -> Query<StoredHold?> {
        id.map { Query(byID, $0) } ?? .value(nil)
    }

    /// Stores that a hold has ended. Its row is still needed, because it is remembered for a day.
    package func end(_ id: String?, now: Timestamp) -> Query<Int> {
        id.map { Query(StoredHold.end, $0, now) } ?? .value(0)
    }

    package func active(of caller: String, now: Timestamp?) -> Query<[StoredHold]> {
        Query(active, caller, now)
    }

    /// The active hold that the key of a request has made in a salon.
    package func active(
        with key: IdempotencyKey?,
        in salon: SalonID,
        now: Timestamp?
    ) -> Query<KeyedHold?> {
        guard let key else { return .value(nil) }
        return Query(activeWithKey, salon, now, key.text, key.caller)
    }

    /// The number of holds of all callers that have not expired.
    package func activeCount(now: Timestamp?) -> Query<Int> {
        Query(activeCount, now, otherwise: 0)
    }
}
