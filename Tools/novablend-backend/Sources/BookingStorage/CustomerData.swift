public import Domain

/// What a store contains about one customer.
public struct CustomerData: Sendable, Hashable {
    /// A request of the customer whose result is stored with its idempotency key.
    public struct Request: Sendable, Hashable {
        /// The idempotency key.
        public var key: String
        /// The HTTP method.
        public var method: String
        /// The path.
        public var path: String
        /// When the key was used for the first time.
        public var usedAt: Timestamp
        /// The appointment that the response contained.
        public var result: StoredAppointment
    }

    /// The appointments, by salon and then by id.
    public var appointments: [StoredAppointment] = []
    /// What remains of appointments that were deleted.
    public var deletedAppointments: [DeletedAppointment] = []
    /// The holds, including ended ones, by salon and then by id.
    public var holds: [StoredHold] = []
    /// The requests that booked or changed the appointments, by the time of their first use.
    public var requests: [Request] = []
    /// The tokens, including invalid ones, by their ids.
    public var tokens: [StoredToken] = []

    /// Whether there is nothing.
    public var isEmpty: Bool { self == CustomerData() }

    /// The texts by which the data would be recognized in a file.
    ///
    /// - Parameter caller: The phone number, as in ``BookingRequest/caller``.
    func texts(of caller: String) -> Set<String> {
        let stored = appointments + requests.map(\.result)
        var texts: Set<String> = [caller]
        for booking in stored.map(\.booking) + holds.map(\.booking) {
            texts.formUnion([booking.phone, booking.email, booking.note].compactMap(\.self))
        }
        return texts.union(tokens.compactMap(\.name))
    }

    /// The active appointments that have not ended at an instant.
    public func activeAppointments(at now: Timestamp) -> [StoredAppointment] {
        appointments.filter { $0.status == .booked && !$0.hasEnded(before: now) }
    }

    /// Throws `customerHasAppointments` if there are active appointments that have not ended.
    package func checkErasable(at now: Timestamp) throws(Problem) {
        let count = activeAppointments(at: now).count
        if count > 0 { throw .customerHasAppointments(count) }
    }
}
