public import BookingStorage
public import Domain
public import NovaBlendMetrics

/// A store in a database of PostgreSQL, which any number of processes share.
///
/// Each change is one transaction on one of the connections of a pool. Changes that other
/// transactions prevent are repeated. If the connection fails before a change is committed, the
/// change is repeated on a new connection. If it fails while the change is committed, the key of the
/// request decides whether it was made; without a key the failure is `inDoubt`.
public final class PostgreSQLBookingStore: BookingStore {
    /// The number of connections, if nothing else is chosen.
    public static let defaultConnections = 8
    /// How long a call waits, if nothing else is chosen.
    public static let defaultWaitTimeout = Duration.seconds(5)

    let pool: ConnectionPool
    private let salons: DecodedSalonCache
    let clock: ClockMonitor
    private let sweeper: Sweeper
    private let metrics = DatabaseMetrics()
    private let replicated = ReplicatedPosition()

    /// Opens a database and applies the migrations that it needs.
    ///
    /// - Parameters:
    ///   - url: The URL of the database (`postgresql://HOST/NAME`). It may name several hosts, of
    ///     which the one is used that accepts changes.
    ///   - connections: The maximum number of connections, at least 1.
    ///   - newSalons: The salons of a database that has no tables yet.
    ///   - waitTimeout: How long a call waits for a connection, or for a server that cannot be
    ///     reached.
    /// - Throws: `unreachable`, `newerSchema` if the database belongs to a newer version of the
    ///   program, or any other failure.
    public convenience init(
        url: String,
        connections: Int = defaultConnections,
        newSalons: [Salon] = [],
        waitTimeout: Duration = defaultWaitTimeout
    ) throws(StorageFailure) {
        try self.init(url, connections, newSalons, waitTimeout: waitTimeout, clock: .database)
    }

    init(
        _ url: String,
        _ connections: Int = defaultConnections,
        _ newSalons: [Salon] = [],
        waitTimeout: Duration = defaultWaitTimeout,
        clock: DatabaseClock,
        uptime: @escaping ClockMonitor.Uptime = { .now }
    ) throws(StorageFailure) {
        try Self.migrate(url, newSalons: newSalons)
        self.clock = ClockMonitor(try Self.clockRecord(url), uptime: uptime)
        sweeper = Sweeper(self.clock)
        let salons = DecodedSalonCache()
        self.salons = salons
        pool = try ConnectionPool(connections: max(connections, 1), waitTimeout: waitTimeout) {
            [metrics] in
            Session(
                url: url,
                waitTimeout: waitTimeout,
                salons: salons,
                clock: clock,
                metrics: metrics
            )
        }
    }

    deinit { close() }

    /// Finishes the calls in progress and closes the connections. Later calls fail.
    public func close() { pool.close() }

    // MARK: Changes

    /// Books an appointment and returns it.
    public func book(
        _ booking: BookingRequest,
        as request: KeyedRequest?,
        by principal: Principal,
        check: @escaping @Sendable (Salon) throws -> BookingPlan
    ) async throws(StoreError) -> StoredAppointment {
        let stored = try await pool.book(booking, as: request, by: principal, check: check)
        sweeper.changed(booking.salonID, pool)
        return stored
    }

    /// Changes an active appointment, increments its version, and returns it.
    public func change(
        _ id: String,
        as request: KeyedRequest?,
        by principal: Principal,
        edit: @escaping @Sendable (inout StoredAppointment, Salon?) throws -> BookingPlan?
    ) async throws(StoreError) -> StoredAppointment {
        var awaitEarlier: (@Sendable (WriteTransaction) throws -> Void)?
        if let key = request?.key {
            awaitEarlier = { try $0.awaitEarlierUse(of: key, inSalonOfAppointment: id) }
        }
        return try await write(awaitEarlier: awaitEarlier) {
            try $0.change(id, as: request, by: principal, edit: edit)
        }
    }

    /// Voids a key in one salon, or in all salons if `salon` is nil.
    public func void(
        _ key: IdempotencyKey,
        in salon: SalonID?,
        by principal: Principal
    ) async throws(StoreError) {
        do throws(StoreError) {
            try await write(awaitEarlier: { _ in }) { transaction in
                if let salon {
                    try transaction.void(key, in: salon, by: principal)
                } else {
                    try transaction.voidInAllSalons(key, by: principal)
                }
            }
        } catch .keyUsed(let appointment?) {
            // This proves that the appointment exists, so the standby must have it, too.
            let salon = appointment.booking.salonID
            try await write { try $0.awaitEarlierUse(of: key, in: salon) }
            throw .keyUsed(appointment)
        }
    }

    /// Reserves a staff member or seats for `seconds`, and returns the hold.
    public func hold(
        _ booking: BookingRequest,
        seconds: Int64,
        as request: KeyedRequest?,
        by principal: Principal,
        check: @escaping @Sendable (Salon) throws -> BookingPlan
    ) async throws(StoreError) -> StoredHold {
        // The row of the caller lets it wait for an earlier attempt.
        let hold = try await write(awaitEarlier: request == nil ? nil : { @Sendable _ in }) {
            try $0.hold(booking, seconds: seconds, as: request, by: principal, check: check)
        }
        sweeper.changed(booking.salonID, pool)
        return hold
    }

    /// Ends a hold. It is not an error if it has already ended.
    public func release(hold id: String, by principal: Principal) async throws(StoreError) {
        try await write(awaitEarlier: { _ in }) { try $0.release(hold: id, by: principal) }
    }

    /// Creates or replaces a salon if `condition` is met.
    public func put(
        _ salon: Salon,
        if condition: SalonCondition,
        keepingWallClockBy schedule: Schedule?,
        by principal: Principal
    ) async throws(StoreError) -> SalonUpdate {
        try await write {
            try $0.put(salon, if: condition, keepingWallClockBy: schedule, by: principal)
        }
    }

    /// Deletes a salon if `condition` is met.
    public func deleteSalon(
        _ id: SalonID,
        if condition: SalonCondition,
        by principal: Principal
    ) async throws(StoreError) {
        try await write { try $0.deleteSalon(id, if: condition, by: principal) }
    }

    /// Creates or replaces all `salons` in one transaction.
    public func importSalons(
        _ salons: [Salon],
        _ options: SalonImport.Options = SalonImport.Options()
    ) async throws(StoreError) -> SalonImport {
        try await write { try $0.importSalons(salons, options) }
    }

    // MARK: Reads

    /// The appointment with the id; nil if it does not exist or is not visible to the role.
    public func appointment(
        _ id: String,
        visibleTo role: Principal.Role
    ) async throws(StoreError) -> StoredAppointment? {
        let found = try await read { _ in AppointmentRows.read(id) }
        return found.flatMap { role.includes($0.booking) ? $0 : nil }
    }

    /// The first `limit` appointments after a position that are visible to the role.
    public func appointments(
        after position: AppointmentPosition?,
        limit: Int,
        visibleTo role: Principal.Role
    ) async throws(StoreError) -> [StoredAppointment] {
        try await read { _ in
            AppointmentRows.page(after: position, limit: limit, visibleTo: role)
        }
    }

    /// The first `limit` active appointments of a salon that start in a range.
    public func activeAppointments(
        of salon: SalonID,
        startingIn range: Range<Timestamp>,
        after id: String?,
        limit: Int
    ) async throws(StoreError) -> [StoredAppointment] {
        try await read { _ in
            AppointmentRows.active(of: salon, startingIn: range, after: id, limit: limit)
        }
    }

    /// A salon, and the times of its active appointments and unexpired holds that overlap the time
    /// from `start` to `end`; nil if the salon does not exist.
    public func agenda(
        of salon: SalonID,
        from start: Timestamp,
        to end: Timestamp
    ) async throws(StoreError) -> SalonAgenda? {
        try await read { [salons] now in
            BusyRows.agenda(of: salon, from: start, to: end, now: now, salons)
        }
    }

    /// The salon with the id; nil if it does not exist.
    public func salon(_ id: SalonID) async throws(StoreError) -> Salon? {
        try await read { [salons] _ in SalonRows.read(id, salons) }?.salon
    }

    /// The salon with the id, or an earlier version of it; nil if it does not exist.
    public func recentSalon(_ id: SalonID) async throws(StoreError) -> Salon? {
        if let recent = salons.latest(id) { return recent }
        return try await salon(id)
    }

    /// The first `limit` salons whose id is greater than `id`.
    public func salons(after id: SalonID?, limit: Int) async throws(StoreError) -> [Salon] {
        try await read { [salons] _ in SalonRows.page(after: id, limit: limit, salons) }
    }

    /// The first `limit` salons and appointments that have changed after a position.
    public func changes(
        after cursor: ChangeCursor?,
        limit: Int,
        visibleTo role: Principal.Role
    ) async throws(StoreError) -> ChangePage {
        let page = try await pool.perform { [replicated] session, deadline throws(StoreError) in
            try session.changes(
                after: cursor,
                limit: limit,
                visibleTo: role,
                replicated,
                until: deadline
            )
        }
        guard let page else { throw .cursorTooOld }
        return page
    }

    /// The last `limit` entries of the audit log.
    public func auditEntries(
        since start: Timestamp?,
        of salon: SalonID?,
        limit: Int
    ) async throws(StoreError) -> [AuditEntry] {
        let time = start?.secondsSince1970 ?? .min
        let latestFirst: [AuditEntry] = try await read { _ in
            Query(AuditEntry.last, time, salon, limit)
        }
        return latestFirst.reversed()
    }

    /// Throws `unavailable` if no server that accepts changes can be read within a second.
    public func checkHealth() async throws(StoreError) {
        try await read(within: .seconds(1)) { _ in SalonRows.check }
    }

    /// Adds the durations of commits, the numbers of connections, retries, and waiting calls, and the
    /// number of active holds.
    public func writeMetrics(to text: inout MetricsText) async {
        metrics.write(to: &text)
        text.metric(
            "novablend_database_waiting_calls",
            .gauge,
            "Calls that wait for a connection to the database.",
            pool.waitingCount
        )
        let holds = try? await read(within: .seconds(1)) { now in HoldRows.activeCount(now: now) }
        guard let holds else { return }
        text.metric("novablend_active_holds", .gauge, "Holds that have not expired.", holds)
    }

    /// Makes a change in one transaction.
    ///
    /// - Parameter awaitEarlier: As for ``Session/write(until:awaitEarlier:_:)``. It does nothing if to
    ///   repeat the change changes nothing.
    func write<Value: Sendable>(
        awaitEarlier: (@Sendable (WriteTransaction) throws -> Void)? = nil,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await pool.perform { session, deadline throws(StoreError) in
            try session.write(until: deadline, awaitEarlier: awaitEarlier, body)
        }
    }

    func read<Value: Sendable>(
        within timeout: Duration? = nil,
        _ makeQuery: @escaping @Sendable (Timestamp?) -> Query<Value>
    ) async throws(StoreError) -> Value {
        try await pool.perform(within: timeout) { session, deadline throws(StoreError) in
            try session.read(until: deadline, makeQuery)
        }
    }
}
