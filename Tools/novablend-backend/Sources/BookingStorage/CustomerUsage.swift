public import Domain

/// A limit of the appointments that a customer may have.
public struct AppointmentLimit: Sendable, Hashable {
    /// What is counted. A hold may become an appointment, so active holds are counted, too.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// Active appointments that have not ended.
        case active
        /// Appointments that were booked in the last 24 hours, even if they are cancelled.
        case perDay
    }

    /// What is counted.
    public let kind: Kind
    /// The maximum number.
    public let maximum: Int
    /// Whether the appointments at all salons count; otherwise only those at the salon of the booking.
    public let isTotal: Bool

    /// Creates a limit.
    public init(_ kind: Kind, _ maximum: Int, isTotal: Bool) {
        self.kind = kind
        self.maximum = maximum
        self.isTotal = isTotal
    }
}

extension CustomerLimits {
    /// The limits that are stated.
    ///
    /// - Parameter areTotal: Whether the appointments at all salons count.
    public func limits(areTotal: Bool) -> [AppointmentLimit] {
        AppointmentLimit.Kind.allCases.compactMap { kind in
            let maximum =
                switch kind {
                case .active: active
                case .perDay: perDay
                }
            return maximum.map { AppointmentLimit(kind, $0, isTotal: areTotal) }
        }
    }
}

/// How many appointments a customer has: at one salon, and in total.
package struct CustomerUsage: Sendable, StoredRow {
    private var active: (atSalon: Int, total: Int)
    private var booked: (atSalon: Int, total: Int)

    /// Counts the appointments of the customer `$1`, also those at the salon `$2`. `$3` is the current
    /// time, and `$4` the time a day before it.
    private static let count: SQL = {
        // A deleted appointment has the status that it had.
        let isActive = "status = 'booked' AND deleted_at IS NULL AND instant + minutes * 60 > $3"
        let (isAtSalon, isRecent) = ("salon_id = $2", "booked_at > $4")
        let counts = [
            "\(isActive) AND \(isAtSalon)", isActive, "\(isRecent) AND \(isAtSalon)", isRecent,
        ].map { "count(*) FILTER (WHERE \($0))" }
        return SQL(
            "SELECT \(counts.joined(separator: ", ")) FROM appointments WHERE caller = $1"
        )
    }()

    package init(row: some ColumnReader) {
        active = (row.int(0), row.int(1))
        booked = (row.int(2), row.int(3))
    }

    /// Counts the appointments of the customer of a booking.
    package static func query(of booking: BookingRequest, now: Timestamp) -> Query<Self> {
        let dayAgo = now.advanced(bySeconds: -86_400)
        let failure = StorageFailure(.corrupted, "the appointments of a customer cannot be counted")
        return Query(count, booking.caller, booking.salonID, now, dayAgo, orThrow: failure)
    }

    /// Throws `tooManyAppointments` if the customer may not have another appointment.
    ///
    /// - Parameter holds: The active holds of the customer, except the one that becomes the
    ///   appointment.
    package func check(
        _ limits: [AppointmentLimit],
        at salon: SalonID,
        holds: [StoredHold]
    ) throws(Problem) {
        let heldAtSalon = holds.count(where: { $0.booking.salonID == salon })
        for limit in limits {
            let counts = limit.kind == .active ? active : booked
            let count =
                limit.isTotal ? counts.total + holds.count : counts.atSalon + heldAtSalon
            if count >= limit.maximum { throw .tooManyAppointments(limit) }
        }
    }
}
