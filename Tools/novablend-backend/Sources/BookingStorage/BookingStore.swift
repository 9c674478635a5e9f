public import Domain
public import NovaBlendMetrics

/// The salons, appointments, idempotency keys, and tokens of a backend.
///
/// An implementation may be used by any number of processes that share one database. Each change is
/// one transaction: after an error nothing has changed, and after a return the change is durable.
/// The only exception is a ``StorageFailure``: the change may have been made if the storage failed
/// while it confirmed the change.
///
/// Salons that are read have the version that is stored. The version starts at 1 and increases with
/// each change, even if the salon is deleted and created again, so that a version never stands for
/// two different contents.
///
/// A closure that a function receives runs inside the transaction. It may run more than once, and
/// it must not use the store.
public protocol BookingStore: TokenStore {
    // MARK: Changing appointments

    /// Books an appointment and returns it.
    ///
    /// Takes a free staff member or free seats for the time of the appointment with its buffers. If
    /// the booking names an active hold of the same caller, see ``BookingRequest/caller``, that hold
    /// ends, and its staff member is preferred.
    ///
    /// - Parameters:
    ///   - request: The request and its idempotency key; nil if it has no key. If the same request
    ///     was made before, this returns its original result and changes nothing.
    ///   - principal: Who books. A hold that is not visible to the principal does not exist for the
    ///     booking. Whether the principal may make the booking must have been checked.
    ///   - check: Checks the booking against the rules of the stored salon and returns what it
    ///     needs. It does not run for a repeated request.
    /// - Throws: The error of `check`, a problem of the key, the salon, the hold, the limits of the
    ///   customer, or the time, or `unavailable`.
    func book(
        _ booking: BookingRequest,
        as request: KeyedRequest?,
        by principal: Principal,
        check: @escaping @Sendable (Salon) throws -> BookingPlan
    ) async throws(Problem) -> StoredAppointment

    /// Changes an active appointment, increments its version, and returns it.
    ///
    /// - Parameters:
    ///   - id: The id of the appointment.
    ///   - request: The request and its idempotency key, as in ``book(_:as:by:check:)``.
    ///   - principal: Who makes the change. An appointment that is not visible to the principal does
    ///     not exist for the change.
    ///   - edit: Changes the time, the options, or the status of the stored appointment. The salon
    ///     is nil if it has been deleted. Returns what the appointment needs at its new time, or nil
    ///     if it keeps what it has, or is cancelled. With a plan, the store sets the length, the
    ///     buffers, and the staff member; it prefers the present one. `edit` does not run for a
    ///     repeated request.
    /// - Throws: The error of `edit`, a problem of the appointment, the key, or the time, or
    ///   `unavailable`.
    func change(
        _ id: String,
        as request: KeyedRequest?,
        by principal: Principal,
        edit: @escaping @Sendable (inout StoredAppointment, Salon?) throws -> BookingPlan?
    ) async throws(Problem) -> StoredAppointment

    /// Voids a key in one salon, or in all salons if `salon` is nil. Later requests with the key
    /// fail with `keyVoided`. It is not an error if the key is already voided.
    ///
    /// - Throws: `keyUsed` if the key has booked or changed an appointment, or `unavailable`.
    func void(
        _ key: IdempotencyKey,
        in salon: SalonID?,
        by principal: Principal
    ) async throws(Problem)

    // MARK: Holds

    /// Reserves a staff member or seats for `seconds`, and returns the hold. A caller, see
    /// ``BookingRequest/caller``, may have a limited number of holds.
    ///
    /// - Parameters:
    ///   - request: The request and its idempotency key; nil if it has no key. If the same request
    ///     was made before, this returns its hold as long as that is active. A hold does not use up
    ///     its key, which can book, be voided, or make another hold when this one has ended.
    ///   - principal: Who makes the hold. Holds that are not visible to the principal do not count.
    ///   - check: Checks the booking against the rules of the stored salon and returns what it
    ///     needs, as in ``book(_:as:by:check:)``.
    /// - Throws: The error of `check`, a problem of the key, the salon, the holds and limits of the
    ///   customer, or the time, or `unavailable`.
    func hold(
        _ booking: BookingRequest,
        seconds: Int64,
        as request: KeyedRequest?,
        by principal: Principal,
        check: @escaping @Sendable (Salon) throws -> BookingPlan
    ) async throws(Problem) -> StoredHold

    // MARK: Changes

    /// The first `limit` salons and appointments that have changed after a position and are in the
    /// scope. Without a position, the page is empty, and its cursor is the position of the last
    /// change, whether it is in the scope or not.
    ///
    /// A change that is committed after a page was read has a later position than the page's
    /// cursor. So a client that takes a cursor, reads the lists, and then follows the changes
    /// misses nothing.
    ///
    /// - Throws: `cursorTooOld` or `unavailable`.
    func changes(
        after cursor: ChangeCursor?,
        limit: Int,
        in scope: ChangeScope
    ) async throws(Problem) -> ChangePage

    // MARK: Maintenance

    /// The time by the clock that decides what has expired.
    func currentTime() async throws(Problem) -> Timestamp

    /// Throws `unavailable` if the store cannot be read, or if no transaction that changes it can
    /// begin.
    func checkHealth() async throws(Problem)

    /// What operators should know about the files of the store. What cannot be read is left out.
    func status() async -> StoreStatus

    /// Adds metrics of the database, such as the time that commits take. A metric that cannot be
    /// read is left out.
    func writeMetrics(to text: inout MetricsText) async

    /// Finishes the calls in progress and releases the database. Later calls fail.
    func close()
}

/// What operators should know about the files of a store, although it works.
public struct StoreStatus: Sendable, Hashable {
    /// The write-ahead log.
    public struct Log: Sendable, Hashable {
        /// Its size in bytes.
        public var bytes: Int
        /// For how many seconds a program that reads the database has kept the log from shrinking; 0
        /// if none does.
        public var blockedSeconds: Int

        /// Describes a log.
        ///
        /// - Parameters:
        ///   - bytes: Its size.
        ///   - blockedSeconds: For how long it has been kept from shrinking.
        public init(bytes: Int, blockedSeconds: Int) {
            (self.bytes, self.blockedSeconds) = (bytes, blockedSeconds)
        }
    }

    /// What is known about backups.
    public struct Backups: Sendable, Hashable {
        /// When the last good backup was made; nil if there was none.
        public var last: Timestamp?
        /// How long ago that was, in seconds.
        public var ageSeconds: Int64?

        /// Describes backups.
        ///
        /// - Parameters:
        ///   - last: When the last good backup was made; nil if there was none.
        ///   - now: The current time.
        public init(last: Timestamp?, now: Timestamp) {
            self.last = last
            ageSeconds = last.map { max(0, now.seconds(since: $0)) }
        }
    }

    /// The log; nil if the store has none, or if other programs manage it.
    public var log: Log?
    /// The backups; nil if the store does not record them.
    public var backups: Backups?

    /// Describes a store without files of its own.
    ///
    /// - Parameters:
    ///   - log: The log; nil if there is none.
    ///   - backups: The backups; nil if they are not recorded.
    public init(log: Log? = nil, backups: Backups? = nil) {
        (self.log, self.backups) = (log, backups)
    }

    /// Adds the metrics.
    package func writeMetrics(to text: inout MetricsText) {
        if let log {
            let size = "Size of the write-ahead log."
            text.metric("novablend_database_log_bytes", .gauge, size, log.bytes)
            let help = "Time for which a reader has kept the write-ahead log from shrinking."
            let name = "novablend_database_log_blocked_seconds"
            text.metric(name, .gauge, help, log.blockedSeconds)
        }
        if let backups {
            let name = "novablend_backup_age_seconds"
            text.begin(name, .gauge, "Time since the last good backup; +Inf if there was none.")
            text.sample(name, backups.ageSeconds.map { Double($0) } ?? .infinity)
        }
    }
}

extension BookingStore {
    /// Nothing, for stores without files of their own.
    public func status() async -> StoreStatus { StoreStatus() }
}
