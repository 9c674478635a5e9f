import BookingStorage
import Domain
import Glibc
import NovaBlendMetrics

/// The connection of one thread. It is opened when it is needed, and opened again after a failure.
///
/// A call is repeated as long as it has had no effect and its deadline allows it.
final class Session {
    /// How long a call waits for a lock at first, and how long if others already wait for locks.
    static let usualLockTimeout = Duration.milliseconds(200)
    static let shortLockTimeout = Duration.milliseconds(20)
    /// How long before its deadline a call stops waiting for a lock, so that the answer names it.
    private static let lockMargin = Duration.milliseconds(250)
    /// How long the server may take to commit or to roll back. These do not end with the call.
    private static let commitTimeout = Duration.seconds(15)
    private static let rollbackTimeout = Duration.seconds(1)

    /// How many times a call is tried before it fails because other transactions were faster.
    private static let maximumRaces = 200

    /// How long a call waits for a server that cannot be reached.
    let waitTimeout: Duration
    /// Whether a call ends at its deadline in any case.
    private let limitsCalls: Bool
    private let url: String
    private let salons: DecodedSalonCache
    private let clock: DatabaseClock
    private let metrics: DatabaseMetrics
    private var connection: Connection? {
        didSet {
            if oldValue != nil { metrics.closed.increment() }
            guard connection != nil else { return }
            metrics.opened.increment()
            connectionNumber += 1
        }
    }
    /// Increases with each new connection, which may be one to a different server.
    private(set) var connectionNumber = 0
    /// Who waits for the call.
    var callers: [any TimedCaller] = []
    /// How long the call waits for a lock; nil for as long as its deadline allows.
    var lockTimeout: Duration? = usualLockTimeout {
        didSet { hasMetLock = false }
    }
    /// Whether the call has failed because ``lockTimeout`` was too short.
    private(set) var hasMetLock = false

    init(
        url: String,
        waitTimeout: Duration,
        limitsCalls: Bool,
        salons: DecodedSalonCache,
        clock: DatabaseClock,
        metrics: DatabaseMetrics
    ) {
        self.waitTimeout = waitTimeout
        self.limitsCalls = limitsCalls
        self.url = url
        self.salons = salons
        self.clock = clock
        self.metrics = metrics
    }

    var isConnected: Bool { connection != nil }

    /// Opens the connection.
    func connect() throws(DatabaseError) { _ = try connected() }

    /// Reads something in one statement.
    func read<Output>(
        until deadline: ContinuousClock.Instant,
        _ makeQuery: (_ now: Timestamp?) -> Query<Output>
    ) throws(Problem) -> Output {
        try repeating(until: deadline) { [clock] connection, _ in
            try connection.run(makeQuery(clock.parameter))
        }
    }

    /// Reads several things. If `body` begins a transaction, it also ends it, unless it throws.
    func read<Output>(
        until deadline: ContinuousClock.Instant,
        _ body: (Connection, DecodedSalonCache) throws(DatabaseError) -> Output
    ) throws(Problem) -> Output {
        try repeating(until: deadline) { connection, _ in
            do {
                return try body(connection, salons)
            } catch {
                rollBack(connection, after: error)
                throw error
            }
        }
    }

    /// Runs `body` in a transaction and commits it, without repeating it.
    func writeOnce<Output>(
        before deadline: ContinuousClock.Instant,
        _ body: (WriteTransaction) throws -> Output
    ) throws(Problem) -> Output {
        try repeating(until: deadline, attempts: 1) { try transact(on: $0, isRepeated: $1, body) }
    }

    /// Runs `body` in a transaction and commits it.
    ///
    /// - Parameters:
    ///   - awaitEarlier: Waits until an earlier attempt of this call, whose outcome is not known, has
    ///     ended. Then `body` finds what it has done. Nil if that is not possible.
    func write<Output>(
        until deadline: ContinuousClock.Instant,
        awaitEarlier: ((WriteTransaction) throws -> Void)? = nil,
        _ body: (WriteTransaction) throws -> Output
    ) throws(Problem) -> Output {
        do {
            return try repeating(until: deadline) { try transact(on: $0, isRepeated: $1, body) }
        } catch {
            guard let doubt = error.doubt, let awaitEarlier else { throw error }
            return try resolve(doubt, until: deadline, awaitEarlier, body)
        }
    }

    /// Finds out the outcome of a transaction on a new connection, and makes the change if it was not
    /// made. If that is not possible by the deadline, throws `doubt`.
    func resolve<Output>(
        _ doubt: StorageFailure,
        until deadline: ContinuousClock.Instant,
        _ awaitEarlier: (WriteTransaction) throws -> Void,
        _ body: (WriteTransaction) throws -> Output
    ) throws(Problem) -> Output {
        guard ContinuousClock.now < deadline else { throw .unavailable(doubt) }
        do {
            return try repeating(until: deadline) { connection, isRepeated in
                try transact(on: connection, isRepeated: isRepeated, awaitEarlier)
                return try transact(on: connection, isRepeated: isRepeated, body)
            }
        } catch {
            throw error.failure == nil ? error : .unavailable(doubt)
        }
    }

    private func transact<Output>(
        on connection: Connection,
        isRepeated: Bool,
        _ body: (WriteTransaction) throws -> Output
    ) throws -> Output {
        let transaction = WriteTransaction(
            connection,
            salons,
            clock: clock.parameter,
            isRepeated: isRepeated
        )
        let output: Output
        do {
            output = try body(transaction)
        } catch {
            rollBack(connection, after: error)
            throw error
        }
        if transaction.hasChanges {
            try commit(connection)
            metrics.commits.sizes.observe(transaction.changeCount)
        } else {
            rollBack(connection, after: nil)
        }
        return output
    }

    private func commit(_ connection: Connection) throws {
        let isWanted = callers.reduce(true) { isWanted, caller in caller.beginCommit() && isWanted }
        guard isWanted else {
            rollBack(connection, after: nil)
            throw Self.callerIsGone
        }
        connection.deadline = .now + Self.commitTimeout
        let warnings = connection.warningCount
        let start = MonotonicTime.nanoseconds
        do {
            try connection.run(Query<Void>(running: .commit))
        } catch {
            guard case .disconnected(let message) = error else { throw error }
            throw DatabaseError.unknownOutcome(message)
        }
        // If a statement of the transaction has failed, COMMIT rolls it back without an error.
        guard connection.lastTag == "COMMIT" else {
            throw DatabaseError.rejected(sqlState: "25P02", "the transaction was rolled back")
        }
        metrics.commits.durations.observe(MonotonicTime.nanoseconds - start)
        // The only reason for a warning of COMMIT is that it did not wait for the standby.
        if connection.warningCount > warnings {
            throw DatabaseError.unknownOutcome("the standby may not have the change")
        }
    }

    /// The change must not be committed, because its caller has been answered. So no one reads this.
    private static let callerIsGone = Problem.unavailable(
        StorageFailure(.overloaded, "the call was over before its change could be committed")
    )

    private func rollBack(_ connection: Connection, after error: (any Error)?) {
        if case .disconnected = error as? DatabaseError { return }
        connection.deadline = .now + Self.rollbackTimeout
        do {
            try connection.run(Query<Void>(running: .rollback))
        } catch {
            self.connection = nil
        }
    }

    // MARK: Repeating

    private func repeating<Output>(
        until deadline: ContinuousClock.Instant,
        attempts maximumAttempts: Int = maximumRaces,
        _ attempt: (Connection, _ isRepeated: Bool) throws -> Output
    ) throws(Problem) -> Output {
        // A call that waits for locks has been tried before.
        var isRepeated = lockTimeout == nil
        var races = 0
        var backoff = Backoff()
        while true {
            defer { isRepeated = true }
            let failure: StorageFailure
            do {
                let connection = try connected()
                try prepare(connection, until: deadline)
                return try attempt(connection, isRepeated)
            } catch let error as DatabaseError {
                var reason = DatabaseMetrics.RetryReason.conflict
                switch error {
                case .lostRace:
                    races += 1
                    metrics.countRetry(.race)
                    if races < maximumAttempts { continue }
                    throw .unavailable(error.failure)
                case .unknownOutcome:
                    disconnect()
                    metrics.unknownCommits.increment()
                    throw .unavailable(error.failure)
                case .disconnected:
                    disconnect()
                    reason = .connection
                case .rejected, .failed: break
                }
                // A busy server may not report in time that the lock is not free.
                let isLate = lockTimeout == nil && deadline <= .now
                failure = isLate ? DatabaseError.locked : error.failure
                for caller in callers { caller.record(failure) }
                hasMetLock = limitsCalls && error.isLockTimeout && lockTimeout != nil
                guard error.isTransient else { throw .unavailable(failure) }
                metrics.countRetry(reason)
                if hasMetLock || maximumAttempts == 1 { throw .unavailable(failure) }
            } catch {
                throw Problem(error)
            }
            guard backoff.wait(until: deadline) else { throw .unavailable(failure) }
        }
    }

    /// Limits how long the server may take.
    private func prepare(
        _ connection: Connection,
        until deadline: ContinuousClock.Instant
    ) throws(DatabaseError) {
        guard limitsCalls else {
            connection.deadline = nil
            return try connection.setLockTimeout(waitTimeout)
        }
        connection.deadline = deadline
        let rest = deadline - .now - Self.lockMargin
        let timeout = max(lockTimeout ?? rest, .milliseconds(1))
        try connection.setLockTimeout(timeout)
    }

    private func connected() throws(DatabaseError) -> Connection {
        if let connection { return connection }
        let opened = try Connection(url: url)
        opened.deadline = .now + waitTimeout
        // A migration of a newer program has closed the earlier connection.
        try Schema(connection: opened).checkVersion()
        connection = opened
        return opened
    }

    private func disconnect() {
        connection = nil
        // A standby that takes over may lack the last versions of salons, and may then use their
        // version numbers for different content.
        salons.removeAll()
    }
}

extension Problem {
    /// The failure after which the change may have been made; nil if it was not.
    var doubt: StorageFailure? { failure.flatMap { $0.kind == .inDoubt ? $0 : nil } }
}

// MARK: - The feed of changes

extension Session {
    /// The first `limit` changes after a position; nil if the position is too old or does not belong to
    /// this history. If commits wait for a standby, the standby has these changes.
    func changes(
        after cursor: ChangeCursor?,
        limit: Int,
        in scope: ChangeScope,
        _ replicated: ReplicatedPosition,
        until deadline: ContinuousClock.Instant
    ) throws(Problem) -> ChangePage? {
        while true {
            let outcome = try read(until: deadline) { connection, salons throws(DatabaseError) in
                try ChangeRows.page(
                    after: cursor,
                    limit: limit,
                    in: scope,
                    on: connection,
                    salons
                )
            }
            switch outcome {
            case .page(let page, let isSynchronous):
                guard isSynchronous, page.cursor != cursor, !replicated.includes(page.cursor)
                else { return page }
                let connection = connectionNumber
                try write(ServerHistory.awaitStandby, until: deadline)
                // A different server may lack what was read, and its standby, too.
                guard connectionNumber == connection else { continue }
                replicated.record(page.cursor)
                return page
            case .tooOld: return nil
            case .outdatedHistory:
                guard ContinuousClock.now < deadline else {
                    let message = "the settings of the server change all the time"
                    throw .unavailable(StorageFailure(.locked, message))
                }
                try write(ServerHistory.update, until: deadline)
            }
        }
    }

    /// Runs a statement that can be repeated, in a transaction of its own.
    private func write(
        _ query: Query<Void>,
        until deadline: ContinuousClock.Instant
    ) throws(Problem) {
        do {
            try write(until: deadline, awaitEarlier: { _ in }) {
                try $0.run(query)
                $0.hasChanges = true
            }
        } catch {
            guard let doubt = error.doubt else { throw error }
            // The caller only reads, so for it nothing is in doubt.
            throw .unavailable(StorageFailure(.unreachable, doubt.description))
        }
    }
}
