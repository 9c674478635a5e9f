public import BookingStorage
public import Domain
public import NovaBlendMetrics

/// A store in a file of SQLite. One thread makes all changes, in batches. Reads run on the thread
/// of their caller and never wait for changes.
public final class SQLiteBookingStore: BookingStore {
    let writer: Writer
    let readers: ReaderPool
    private let checkpointer: Checkpointer?
    let file: DatabaseFile
    private let salons = DecodedSalonCache()
    let clock: any WallClock

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
        self.clock = clock
        let (database, file) = try Self.open(path, adding: newSalons)
        self.file = file
        checkpointer = try Self.makeCheckpointer(of: file, logLimits)
        readers = ReaderPool(file)
        let batches = BatchWriter(
            database,
            file: file,
            salons: salons,
            clock: clock,
            monitor: ClockMonitor(try Self.clockRecord(in: database), uptime: uptime),
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
    ) async throws(StoreError) -> StoredAppointment {
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
    ) async throws(StoreError) -> StoredAppointment {
        try await writer.perform { try $0.change(id, as: request, by: principal, edit: edit) }
    }

    /// Voids a key in one salon, or in all salons if `salon` is nil.
    public func void(
        _ key: IdempotencyKey,
        in salon: SalonID?,
        by principal: Principal
    ) async throws(StoreError) {
        try await writer.perform { try $0.void(key, in: salon, by: principal) }
    }

    /// Reserves a staff member or seats for `seconds`, and returns the hold.
    public func hold(
        _ booking: BookingRequest,
        seconds: Int64,
        as request: KeyedRequest?,
        by principal: Principal,
        check: @escaping @Sendable (Salon) throws -> BookingPlan
    ) async throws(StoreError) -> StoredHold {
        try await writer.perform {
            try $0.hold(booking, seconds: seconds, as: request, by: principal, check: check)
        }
    }

    /// Ends a hold. It is not an error if it has already ended.
    public func release(hold id: String, by principal: Principal) async throws(StoreError) {
        try await writer.perform { try $0.release(hold: id, by: principal) }
    }

    /// Creates or replaces a salon if `condition` is met.
    public func put(
        _ salon: Salon,
        if condition: SalonCondition,
        keepingWallClockBy schedule: Schedule?,
        by principal: Principal
    ) async throws(StoreError) -> SalonUpdate {
        try await writer.perform {
            try $0.put(salon, if: condition, keepingWallClockBy: schedule, by: principal)
        }
    }

    /// Deletes a salon if `condition` is met.
    public func deleteSalon(
        _ id: SalonID,
        if condition: SalonCondition,
        by principal: Principal
    ) async throws(StoreError) {
        try await writer.perform { try $0.deleteSalon(id, if: condition, by: principal) }
    }

    /// Creates or replaces all `salons` in one transaction.
    public func importSalons(
        _ salons: [Salon],
        _ options: SalonImport.Options = SalonImport.Options()
    ) async throws(StoreError) -> SalonImport {
        do throws(StoreError) {
            return try await writer.perform { try $0.importSalons(salons, options) }
        } catch .rejected(let preview as SalonImportPreview) {
            return preview.result
        } catch {
            throw error
        }
    }

    // MARK: Reads

    /// The appointment with the id; nil if it does not exist or is not visible to the role.
    public func appointment(
        _ id: String,
        visibleTo role: Principal.Role
    ) async throws(StoreError) -> StoredAppointment? {
        let found = try readers.read { database throws(StorageFailure) in
            try AppointmentRows.read(id, in: database)
        }
        return found.flatMap { role.includes($0.booking) ? $0 : nil }
    }

    /// The first `limit` appointments after a position that are visible to the role.
    public func appointments(
        after position: AppointmentPosition?,
        limit: Int,
        visibleTo role: Principal.Role
    ) async throws(StoreError) -> [StoredAppointment] {
        try readers.read { database throws(StorageFailure) in
            try AppointmentRows.page(
                after: position,
                limit: limit,
                visibleTo: role,
                in: database
            )
        }
    }

    /// The first `limit` active appointments of a salon that start in a range.
    public func activeAppointments(
        of salon: SalonID,
        startingIn range: Range<Timestamp>,
        after id: String?,
        limit: Int
    ) async throws(StoreError) -> [StoredAppointment] {
        try readers.read { database throws(StorageFailure) in
            try AppointmentRows.active(
                of: salon,
                startingIn: range,
                after: id,
                limit: limit,
                in: database
            )
        }
    }

    /// A salon, and the times of its active appointments and unexpired holds that overlap the time
    /// from `start` to `end`; nil if the salon does not exist.
    public func agenda(
        of salon: SalonID,
        from start: Timestamp,
        to end: Timestamp
    ) async throws(StoreError) -> SalonAgenda? {
        let now = clock.now
        return try readers.read { database throws(StorageFailure) in
            try BusyRows.agenda(
                of: salon,
                from: start,
                to: end,
                now: now,
                in: database,
                salons
            )
        }
    }

    /// The salon with the id; nil if it does not exist.
    public func salon(_ id: SalonID) async throws(StoreError) -> Salon? {
        try readers.read { database throws(StorageFailure) in
            try SalonRows.read(id, in: database, salons)?.salon
        }
    }

    /// The salon with the id, or an earlier version of it; nil if it does not exist.
    public func recentSalon(_ id: SalonID) async throws(StoreError) -> Salon? {
        if let recent = salons.latest(id) { return recent }
        return try await salon(id)
    }

    /// The first `limit` salons whose id is greater than `id`.
    public func salons(after id: SalonID?, limit: Int) async throws(StoreError) -> [Salon] {
        try readers.read { database throws(StorageFailure) in
            try SalonRows.page(after: id, limit: limit, in: database, salons)
        }
    }

    /// The first `limit` salons and appointments that have changed after a position and are visible
    /// to the role.
    public func changes(
        after cursor: ChangeCursor?,
        limit: Int,
        visibleTo role: Principal.Role
    ) async throws(StoreError) -> ChangePage {
        let page = try readers.read { database throws(StorageFailure) in
            try ChangeRows.page(
                after: cursor,
                limit: limit,
                visibleTo: role,
                in: database,
                salons
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
        try readers.read { database throws(StorageFailure) in
            let time = start?.secondsSince1970 ?? .min
            return try database.rows(AuditEntry.last, time, salon, limit).reversed()
        }
    }

    /// Throws `unavailable` if the database cannot be read, or if no transaction that changes it can
    /// begin within a second. Writes nothing, so a full disk is not an error.
    public func checkHealth() async throws(StoreError) {
        try readers.read { database throws(StorageFailure) in
            try SalonRows.check(database)
        }
        try await writer.perform(lockTimeout: .milliseconds(500)) { _ in }
    }

    /// Adds the sizes and durations of commits, the number of changes that wait, and the number of
    /// active holds.
    public func writeMetrics(to text: inout MetricsText) async {
        writer.metrics.write(to: &text)
        let help = "Changes that wait for the database or are being made."
        text.metric("novablend_database_waiting_changes", .gauge, help, writer.waitingCount)
        let now = clock.now
        let holds = try? readers.read { database throws(StorageFailure) -> Int? in
            try database.first(HoldRows.activeCount, now)
        }
        guard let holds else { return }
        text.metric("novablend_active_holds", .gauge, "Holds that have not expired.", holds)
    }
}
