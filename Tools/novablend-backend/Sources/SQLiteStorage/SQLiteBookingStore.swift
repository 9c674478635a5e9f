public import BookingStorage
public import Domain
public import NovaBlendMetrics

/// A store in a file of SQLite. One thread makes all changes, in batches. Reads run on the thread
/// of their caller and never wait for changes.
public final class SQLiteBookingStore: BookingStore {
    let writer: Writer
    let readers: ReaderPool
    let checkpointer: Checkpointer?
    let file: DatabaseFile
    package let salons = DecodedSalonCache()
    package let monitor: ClockMonitor
    let clock: any WallClock
    let logLimits: Checkpointer.Limits

    /// The access to the database in the file, for the queries that all databases share.
    public var database: StoreDatabase { StoreDatabase(self) }

    /// Opens a database and applies the migrations that it needs. If the file does not exist, it is
    /// created; no other user can access it.
    ///
    /// - Parameters:
    ///   - path: The path, or `:memory:` for a database without a file.
    ///   - clock: The clock that decides which appointments are in the future, and when holds and
    ///     idempotency keys expire.
    ///   - uptime: A clock that no one can set. It shows whether the other one has jumped.
    ///   - newSalons: The salons of a new database.
    /// - Throws: `newerSchema` if the database belongs to a newer version of the program, or any
    ///   other failure.
    public convenience init(
        path: String,
        clock: any WallClock,
        uptime: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        newSalons: [Salon] = []
    ) throws(StorageFailure) {
        let limits = Writer.Limits()
        try self.init(
            path: path,
            clock: clock,
            newSalons: newSalons,
            limits: limits,
            uptime: uptime
        )
    }

    init(
        path: String,
        clock: any WallClock,
        newSalons: [Salon],
        limits: Writer.Limits = Writer.Limits(),
        logLimits: Checkpointer.Limits = Checkpointer.Limits(),
        uptime: @escaping ClockMonitor.Uptime = { .now }
    ) throws(StorageFailure) {
        (self.clock, self.logLimits) = (clock, logLimits)
        let (database, file) = try Self.open(path, adding: newSalons)
        try database.execute("PRAGMA journal_size_limit=\(logLimits.maximumBytes)")
        self.file = file
        checkpointer = try Self.makeCheckpointer(of: file, logLimits, uptime)
        readers = ReaderPool(file)
        monitor = ClockMonitor(try database.run(ClockMonitor.Record.query), uptime: uptime)
        let batches = BatchWriter(
            database,
            file: file,
            salons: salons,
            clock: clock,
            monitor: monitor,
            checkpointer: checkpointer
        )
        writer = try Writer(batches, limits: limits)
    }

    deinit { close() }

    /// Finishes the calls in progress and closes the database. Later calls fail.
    public func close() {
        // SQLite copies the log into the database and deletes it when the last connection closes,
        // but only if that one can write.
        readers.close()
        checkpointer?.close()
        writer.close()
    }

    // MARK: Changes

    /// Books an appointment and returns it.
    public func book(
        _ booking: BookingRequest,
        as request: KeyedRequest?,
        by principal: Principal,
        check: @escaping @Sendable (Salon) throws -> BookingPlan
    ) async throws(Problem) -> StoredAppointment {
        try await writer.perform {
            try $0.book(booking, as: request, by: principal, check: check)
        }
    }

    /// Changes an active appointment, increments its version, and returns it.
    public func change(
        _ id: String,
        as request: KeyedRequest?,
        by principal: Principal,
        edit: @escaping @Sendable (inout StoredAppointment, Salon?) throws -> BookingPlan?
    ) async throws(Problem) -> StoredAppointment {
        try await writer.perform { try $0.change(id, as: request, by: principal, edit: edit) }
    }

    /// Voids a key in one salon, or in all salons if `salon` is nil.
    public func void(
        _ key: IdempotencyKey,
        in salon: SalonID?,
        by principal: Principal
    ) async throws(Problem) {
        try await writer.perform { try $0.void(key, in: salon, by: principal) }
    }

    /// Reserves a staff member or seats for `seconds`, and returns the hold.
    public func hold(
        _ booking: BookingRequest,
        seconds: Int64,
        as request: KeyedRequest?,
        by principal: Principal,
        check: @escaping @Sendable (Salon) throws -> BookingPlan
    ) async throws(Problem) -> StoredHold {
        try await writer.perform {
            try $0.hold(booking, seconds: seconds, as: request, by: principal, check: check)
        }
    }

    // MARK: Reads

    /// The time of the store's clock.
    public func currentTime() async throws(Problem) -> Timestamp { clock.now }

    /// The first `limit` salons and appointments that have changed after a position and are in the
    /// scope.
    public func changes(
        after cursor: ChangeCursor?,
        limit: Int,
        in scope: ChangeScope
    ) async throws(Problem) -> ChangePage {
        let page = try readers.read { database in
            try ChangeRows.page(
                after: cursor,
                limit: limit,
                in: scope,
                from: database,
                salons
            )
        }
        guard let page else { throw .cursorTooOld }
        return page
    }

    /// Throws `unavailable` if the database cannot be read, or if no transaction that changes it can
    /// begin within a second. Writes nothing, so a full disk is not an error.
    public func checkHealth() async throws(Problem) {
        try readers.read { database in
            try database.run(Query<Void>(running: SalonRow.check))
        }
        try await writer.perform(lockTimeout: .milliseconds(500)) { _ in }
    }

    private static let lastBackup = SQL(
        "SELECT last_backup FROM maintenance WHERE last_backup IS NOT NULL"
    )

    /// The size of the write-ahead log, whether a reader keeps it from shrinking, and when the last
    /// good backup was made.
    public func status() async -> StoreStatus {
        guard !file.isInMemory else { return StoreStatus() }
        let blocked = checkpointer?.blockedDuration?.components.seconds ?? 0
        let log = StoreStatus.Log(bytes: file.logBytes, blockedSeconds: Int(max(0, blocked)))
        return StoreStatus(log: log, backups: try? await backups())
    }

    private func backups() async throws(Problem) -> StoreStatus.Backups {
        let last = try await read(within: nil) { _ in Query<Timestamp?>(Self.lastBackup) }
        return StoreStatus.Backups(last: last, now: clock.now)
    }

    /// Adds the sizes and durations of commits, the number of changes that wait, the size of the log,
    /// the age of the last backup, and the number of active holds.
    public func writeMetrics(to text: inout MetricsText) async {
        writer.metrics.write(to: &text)
        let help = "Changes that wait for the database or are being made."
        text.metric("novablend_database_waiting_changes", .gauge, help, writer.waitingCount)
        await status().writeMetrics(to: &text)
        await writeActiveHolds(to: &text)
    }
}

extension SQLiteBookingStore: DatabaseAccess {
    package func read<Value: Sendable>(
        within timeout: Duration?,
        _ makeQuery: @escaping @Sendable (_ now: Timestamp?) -> Query<Value>
    ) async throws(Problem) -> Value {
        let query = makeQuery(clock.now)
        return try readers.read { database in
            if query.statements.count <= 1 { return try database.run(query) }
            try database.beginReading()
            defer { database.rollback() }
            return try database.run(query)
        }
    }

    package func write<Value: Sendable>(
        isRepeatable: Bool,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws(Problem) -> Value {
        try await writer.perform { try body($0) }
    }

    package var holds: HoldStatements { .sqlite }
    package var expiredRows: SQL { Self.expiredRows }

    private static let expiredRows = ExpiredRows.count(
        now: "$1",
        keyTables: ["idempotency_keys"],
        deleted: " AND change < \(ChangeRows.lastNumber)"
    )

    package var activeAppointments: SQL { AppointmentRows.active }
    package var agenda: SQL { BusyRows.agenda }
}
