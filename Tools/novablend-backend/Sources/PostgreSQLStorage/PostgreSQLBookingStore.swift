public import BookingStorage
public import Domain
public import NovaBlendMetrics

/// A store in a PostgreSQL database, which any number of processes share.
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
    package let salons: DecodedSalonCache
    package let monitor: ClockMonitor
    private let sweeper: Sweeper
    private let metrics = DatabaseMetrics()
    private let replicated = ReplicatedPosition()

    /// The access to the database on the server, for the queries that all databases share.
    public var database: StoreDatabase { StoreDatabase(self) }

    /// Opens a database and applies the migrations that it needs.
    ///
    /// - Parameters:
    ///   - url: The URL of the database (`postgresql://HOST/NAME`). It may name several hosts, of
    ///     which the one is used that accepts changes.
    ///   - connections: The maximum number of connections, at least 1.
    ///   - newSalons: The salons of a database that has no tables yet.
    ///   - waitTimeout: How long a call waits for a connection, or for a server that cannot be
    ///     reached.
    ///   - limitsCalls: Whether a call ends within `waitTimeout` in any case. If not, it takes as long as
    ///     its statements need, for example to import many salons.
    /// - Throws: `unreachable`, `newerSchema` if the database belongs to a newer version of the
    ///   program, or any other failure.
    public convenience init(
        url: String,
        connections: Int = defaultConnections,
        newSalons: [Salon] = [],
        waitTimeout: Duration = defaultWaitTimeout,
        limitsCalls: Bool = true
    ) throws(StorageFailure) {
        try self.init(
            url,
            connections,
            newSalons,
            waitTimeout: waitTimeout,
            limitsCalls: limitsCalls,
            clock: .database
        )
    }

    init(
        _ url: String,
        _ connections: Int = defaultConnections,
        _ newSalons: [Salon] = [],
        waitTimeout: Duration = defaultWaitTimeout,
        limitsCalls: Bool = true,
        clock: DatabaseClock,
        uptime: @escaping ClockMonitor.Uptime = { .now }
    ) throws(StorageFailure) {
        try Self.migrate(url, adding: newSalons)
        monitor = ClockMonitor(try Self.clockRecord(url), uptime: uptime)
        sweeper = Sweeper(monitor)
        let salons = DecodedSalonCache()
        self.salons = salons
        pool = try ConnectionPool(
            connections: max(connections, 1),
            waitTimeout: waitTimeout,
            limitsCalls: limitsCalls,
            metrics: metrics
        ) { [metrics] in
            Session(
                url: url,
                waitTimeout: waitTimeout,
                limitsCalls: limitsCalls,
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
    ) async throws(Problem) -> StoredAppointment {
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
    ) async throws(Problem) -> StoredAppointment {
        var awaitEarlier: (@Sendable (WriteTransaction) throws -> Void)?
        if let key = request?.key {
            awaitEarlier = { try $0.touch(key, in: .ofAppointment(id)) }
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
    ) async throws(Problem) {
        do {
            try await write(awaitEarlier: { _ in }) { transaction in
                if let salon {
                    try transaction.void(key, in: salon, by: principal)
                } else {
                    try transaction.voidInAllSalons(key, by: principal)
                }
            }
        } catch {
            guard let appointment = error.appointment else { throw error }
            // The error proves that the appointment exists, so the standby must have it, too.
            let salon = appointment.booking.salonID
            try await write { try $0.touch(key, in: .salon(salon)) }
            throw error
        }
    }

    /// Reserves a staff member or seats for `seconds`, and returns the hold.
    public func hold(
        _ booking: BookingRequest,
        seconds: Int64,
        as request: KeyedRequest?,
        by principal: Principal,
        check: @escaping @Sendable (Salon) throws -> BookingPlan
    ) async throws(Problem) -> StoredHold {
        // The hold locks the row of its caller, which waits for an earlier attempt, so `awaitEarlier`
        // need not wait.
        let hold = try await write(awaitEarlier: request == nil ? nil : { @Sendable _ in }) {
            try $0.hold(booking, seconds: seconds, as: request, by: principal, check: check)
        }
        sweeper.changed(booking.salonID, pool)
        return hold
    }

    // MARK: Reads

    /// The time of the database's clock.
    public func currentTime() async throws(Problem) -> Timestamp {
        try await read { now in DatabaseClock.now(now) }
    }

    /// The first `limit` salons and appointments that have changed after a position.
    public func changes(
        after cursor: ChangeCursor?,
        limit: Int,
        in scope: ChangeScope
    ) async throws(Problem) -> ChangePage {
        // The position belongs to an answer that is useful without it.
        let timeout: Duration? = cursor == nil ? .milliseconds(500) : nil
        let page = try await pool.perform(within: timeout) {
            [replicated] session, deadline in
            try session.changes(
                after: cursor,
                limit: limit,
                in: scope,
                replicated,
                until: deadline
            )
        }
        guard let page else { throw .cursorTooOld }
        return page
    }

    /// Throws `unavailable` if no server that accepts changes can be read within 0.8 s, or if the role
    /// of the connection may not book.
    public func checkHealth() async throws(Problem) {
        try await read(within: .milliseconds(800)) { _ in
            Query.combining(
                Query<Void>(running: SalonRow.check),
                Query(Self.missingPrivileges) { $0.text(0) }
            ) { _, missing in missing }
            .map { missing throws(StorageFailure) in
                if missing.isEmpty { return }
                let list = missing.joined(separator: ", ")
                throw StorageFailure(.readOnly, "the role of the connection lacks \(list)")
            }
        }
    }

    /// What the role of the connection must be allowed in order to book.
    private static let missingPrivileges = SQL(
        """
        SELECT needed.privilege || ' on ' || needed.name
        FROM (
            VALUES ('appointments', 'INSERT'), ('appointments', 'UPDATE'), ('audit_log', 'INSERT'),
                ('idempotency_keys', 'INSERT'), ('idempotency_keys', 'UPDATE'),
                ('occupancy', 'INSERT'), ('occupancy', 'UPDATE'), ('occupancy', 'DELETE'),
                ('salons', 'UPDATE')
        ) AS needed (name, privilege)
        WHERE NOT has_table_privilege(needed.name, needed.privilege)
        UNION ALL
        SELECT 'transactions that write' WHERE current_setting('transaction_read_only') = 'on'
        """
    )

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
        await writeActiveHolds(to: &text)
    }

    /// Makes a change in one transaction.
    ///
    /// - Parameter awaitEarlier: Waits until an earlier attempt has ended, as in
    ///   ``Session/write(until:awaitEarlier:_:)``. It does nothing if repeating the change changes
    ///   nothing.
    func write<Value: Sendable>(
        awaitEarlier: (@Sendable (WriteTransaction) throws -> Void)? = nil,
        _ body: @escaping @Sendable (WriteTransaction) throws -> Value
    ) async throws(Problem) -> Value {
        try await pool.perform { session, deadline in
            try session.write(until: deadline, awaitEarlier: awaitEarlier, body)
        }
    }
}

extension PostgreSQLBookingStore: DatabaseAccess {
    package func read<Value: Sendable>(
        within timeout: Duration?,
        _ makeQuery: @escaping @Sendable (_ now: Timestamp?) -> Query<Value>
    ) async throws(Problem) -> Value {
        try await pool.perform(within: timeout) { session, deadline in
            try session.read(until: deadline, makeQuery)
        }
    }

    package func write<Value: Sendable>(
        isRepeatable: Bool,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws(Problem) -> Value {
        try await write(awaitEarlier: isRepeatable ? { @Sendable _ in } : nil) { try body($0) }
    }

    package var holds: HoldStatements { .postgreSQL }
    package var expiredRows: SQL { Self.expiredRows }

    private static let expiredRows = ExpiredRows.count(
        now: DatabaseClock.sql(1),
        keyTables: ["idempotency_keys", "voided_keys"]
    )

    package var activeAppointments: SQL { AppointmentRows.active }
    package var agenda: SQL { BusyRows.agendaOfSalon }
}
