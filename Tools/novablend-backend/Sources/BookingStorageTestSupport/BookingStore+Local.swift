public import BookingStorage
public import Domain

/// The calls of a program on the same machine, which may see and change everything.
extension BookingStore {
    /// Books an appointment and returns it.
    @discardableResult
    public func book(
        _ booking: BookingRequest,
        as request: KeyedRequest?,
        check: @escaping @Sendable (Salon) throws -> BookingPlan
    ) async throws(Problem) -> StoredAppointment {
        try await book(booking, as: request, by: .local, check: check)
    }

    /// Changes an active appointment and returns it.
    @discardableResult
    public func change(
        _ id: String,
        as request: KeyedRequest?,
        edit: @escaping @Sendable (inout StoredAppointment, Salon?) throws -> BookingPlan?
    ) async throws(Problem) -> StoredAppointment {
        try await change(id, as: request, by: .local, edit: edit)
    }

    /// Voids a key in one salon, or in all salons if `salon` is nil.
    public func void(_ key: IdempotencyKey, in salon: SalonID?) async throws(Problem) {
        try await void(key, in: salon, by: .local)
    }

    /// Reserves a staff member or seats for `seconds`, and returns the hold.
    @discardableResult
    public func hold(
        _ booking: BookingRequest,
        seconds: Int64,
        as request: KeyedRequest? = nil,
        check: @escaping @Sendable (Salon) throws -> BookingPlan
    ) async throws(Problem) -> StoredHold {
        try await hold(booking, seconds: seconds, as: request, by: .local, check: check)
    }

    /// Ends a hold.
    public func release(hold id: String) async throws(Problem) {
        try await release(hold: id, by: .local)
    }

    /// The appointment with the id; nil if it does not exist.
    public func appointment(_ id: String) async throws(Problem) -> StoredAppointment? {
        try await appointment(id, visibleTo: .administrator)
    }

    /// The first `limit` appointments after a position.
    public func appointments(
        after position: AppointmentPosition?,
        limit: Int
    ) async throws(Problem) -> [StoredAppointment] {
        try await appointments(after: position, limit: limit, visibleTo: .administrator)
    }

    /// Creates or replaces a salon if `condition` is met.
    @discardableResult
    public func put(
        _ salon: Salon,
        if condition: SalonCondition
    ) async throws(Problem) -> SalonUpdate {
        try await put(salon, if: condition, by: .local)
    }

    /// Creates or replaces a salon as `principal`. The appointments of the salon stay at their
    /// instants.
    @discardableResult
    public func put(
        _ salon: Salon,
        if condition: SalonCondition,
        by principal: Principal
    ) async throws(Problem) -> SalonUpdate {
        try await put(salon, if: condition, keepingWallClockBy: nil, by: principal)
    }

    /// Deletes a salon if `condition` is met.
    public func deleteSalon(_ id: SalonID, if condition: SalonCondition) async throws(Problem) {
        try await deleteSalon(id, if: condition, by: .local)
    }

    /// The first `limit` salons and appointments that have changed after a position.
    public func changes(
        after cursor: ChangeCursor?,
        limit: Int
    ) async throws(Problem) -> ChangePage {
        try await changes(after: cursor, limit: limit, in: ChangeScope(.administrator))
    }

    /// The first `limit` salons and appointments that have changed after a position and are visible
    /// to the role.
    public func changes(
        after cursor: ChangeCursor?,
        limit: Int,
        visibleTo role: Principal.Role
    ) async throws(Problem) -> ChangePage {
        try await changes(after: cursor, limit: limit, in: ChangeScope(role))
    }
}

extension BookingPlan {
    /// A plan for an appointment of `minutes` with `options`, whatever length the salon states.
    /// The salon's clock shows UTC.
    public init(
        minutes: Int,
        _ options: BookingOptions = BookingOptions(),
        at salon: Salon
    ) throws {
        try self.init(for: options, at: salon, on: .offset(minutes: 0))
        requirement.minutes = minutes
    }
}

extension BookingStore {
    /// Books an appointment of `minutes`, whatever the salon's rules are.
    @discardableResult
    public func book(
        _ booking: BookingRequest,
        as request: KeyedRequest?,
        minutes: Int
    ) async throws(Problem) -> StoredAppointment {
        try await book(booking, as: request) { salon in
            try BookingPlan(minutes: minutes, booking.options, at: salon)
        }
    }
}
