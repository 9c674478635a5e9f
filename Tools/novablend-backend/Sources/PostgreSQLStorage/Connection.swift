import BookingStorage
import Glibc
import NovaBlendPQ

/// A connection to a server. It may move between threads, but only one at a time may use it.
///
/// All statements that are passed to ``run(_:)`` together are sent at once, so they take one round
/// trip (libpq's pipeline mode). A statement is prepared when it is used for the first time.
final class Connection {
    let handle: OpaquePointer
    private let warnings: WarningCounter
    /// The names of the prepared statements. A statement is retained, because its identity could
    /// become that of a different one.
    private var names: [ObjectIdentifier: (sql: SQL, name: String)] = [:]
    private var nameCount = 0
    private let answerTimeout: Duration?
    /// When the connection is disconnected if a statement has not ended; nil for no limit.
    var deadline: ContinuousClock.Instant?
    private var lockTimeout: Duration?
    private var isPrepared = false
    /// The kind of the last statement that was completed, such as `COMMIT`.
    private(set) var lastTag = ""

    /// Connects to the first server of a URL that accepts changes.
    ///
    /// - Parameter answerTimeout: How long a statement may take. After that, the connection is
    ///   disconnected. Nil for any time.
    init(url: String, answerTimeout: Duration? = .seconds(15)) throws(DatabaseError) {
        handle = try ConnectionOptions.open(url)
        self.answerTimeout = answerTimeout
        warnings = WarningCounter(handle)
        guard nb_pq_status(handle) == CONNECTION_OK else { throw notConnected }
        try prepareSession()
    }

    deinit { nb_pq_finish(handle) }

    /// The number of warnings of the server so far.
    var warningCount: Int { warnings.count }

    // MARK: Statements

    /// Runs statements in one round trip and reads their results.
    ///
    /// - Parameter first: A statement that precedes them, whose result is not read.
    @discardableResult
    func run<each Output>(
        after first: SQL? = nil,
        _ query: repeat Query<each Output>
    ) throws(DatabaseError) -> (repeat each Output) {
        var statements: [(sql: SQL, values: [any SQLParameter])] = []
        if let first { statements.append((first, [])) }
        for query in repeat each query { statements += query.statements }
        let results = try exchange(statements)
        lastTag = results.last?.tag ?? ""
        let read = QueryResult.Sequence(results.dropFirst(first == nil ? 0 : 1))
        do {
            return (repeat try (each query).read(read))
        } catch {
            throw .failed(error)
        }
    }

    /// What the server answers to a message.
    private enum Answer {
        case prepared(SQL)
        case result
    }

    private func exchange(
        _ statements: [(sql: SQL, values: [any SQLParameter])]
    ) throws(DatabaseError) -> [QueryResult] {
        guard !statements.isEmpty else { return [] }
        var answers: [Answer] = []
        for (sql, values) in statements {
            let (name, isNew) = name(of: sql)
            if isNew {
                try check(nb_pq_send_prepare(handle, name, sql.text))
                answers.append(.prepared(sql))
            }
            try execute(name, values)
            answers.append(.result)
        }
        try check(nb_pq_pipeline_sync(handle))
        try flush()
        return try receive(answers)
    }

    private func name(of sql: SQL) -> (name: String, isNew: Bool) {
        let id = ObjectIdentifier(sql)
        if let known = names[id] { return (known.name, false) }
        nameCount += 1
        let name = "s\(nameCount)"
        names[id] = (sql, name)
        return (name, true)
    }

    private func execute(
        _ name: String,
        _ parameters: [any SQLParameter]
    ) throws(DatabaseError) {
        let copies = parameters.map { $0.sqlText.flatMap { strdup($0) } }
        defer { for copy in copies { free(copy) } }
        let values = copies.map { UnsafePointer($0) }
        let count = Int32(clamping: values.count)
        try check(nb_pq_send_query_prepared(handle, name, count, values))
    }

    /// Reads all answers. Throws the first error.
    private func receive(_ answers: [Answer]) throws(DatabaseError) -> [QueryResult] {
        var results: [QueryResult] = []
        var failure: DatabaseError?
        for answer in answers {
            guard let result = try next() else { throw disconnected }
            let isCompleted = [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(result.status)
            if !isCompleted {
                if result.status == PGRES_FATAL_ERROR, failure == nil {
                    failure = DatabaseError(result)
                }
                // What follows an error is not executed, so it may not be prepared either.
                if case .prepared(let sql) = answer { names[ObjectIdentifier(sql)] = nil }
                if nb_pq_status(handle) != CONNECTION_OK { throw failure ?? disconnected }
            } else if case .result = answer {
                results.append(result)
            }
            // The end of the results of this message.
            guard try next() == nil else { throw disconnected }
        }
        guard try next()?.status == PGRES_PIPELINE_SYNC else { throw failure ?? disconnected }
        if let failure { throw failure }
        return results
    }

    // MARK: Bytes

    private func next() throws(DatabaseError) -> QueryResult? {
        while nb_pq_is_busy(handle) != 0 {
            try wait(for: Int16(POLLIN))
            try check(nb_pq_consume_input(handle))
        }
        return nb_pq_get_result(handle).map { QueryResult($0) }
    }

    private func flush() throws(DatabaseError) {
        while true {
            let code = nb_pq_flush(handle)
            if code == 0 { return }
            guard code == 1 else { throw disconnected }
            // The server may wait for us to read before it reads more.
            try wait(for: Int16(POLLIN | POLLOUT))
            try check(nb_pq_consume_input(handle))
        }
    }

    private func wait(for events: Int16) throws(DatabaseError) {
        var descriptor = pollfd(fd: nb_pq_socket(handle), events: events, revents: 0)
        let rest = deadline.map { max($0 - .now, .zero) }
        let timeout = [answerTimeout, rest].compactMap(\.self).min()
        let milliseconds = timeout.map { Int32(clamping: Int64($0 / .milliseconds(1))) } ?? -1
        var count = poll(&descriptor, 1, milliseconds)
        while count < 0, errno == EINTR { count = poll(&descriptor, 1, milliseconds) }
        if count == 0 {
            throw .disconnected(isPrepared ? "the server does not answer" : Self.missing)
        }
        if count < 0 { throw disconnected }
    }

    private func check(_ code: Int32) throws(DatabaseError) {
        if code == 0 { throw disconnected }
    }

    private var disconnected: DatabaseError {
        let message = String(cString: nb_pq_error_message(handle)).split(
            whereSeparator: \.isNewline
        )
        return .disconnected(
            message.isEmpty ? "the connection failed" : message.joined(separator: "; ")
        )
    }

    /// The connection was not established.
    private var notConnected: DatabaseError {
        guard case .disconnected(let message) = disconnected, message.contains("timeout expired")
        else { return disconnected }
        return .disconnected("\(message): \(Self.missing)")
    }

    /// Why a server that can be reached may not answer.
    static let missing =
        "the server does not answer, or a pooler such as PgBouncer has no free connection to it"

    // MARK: Session

    /// How long the server may take to prepare a session. A pooler answers when it has a connection.
    private static let preparationTimeout = Duration.seconds(5)

    private func prepareSession() throws(DatabaseError) {
        let encoding = String(cString: nb_pq_parameter_status(handle, "server_encoding"))
        guard encoding == "UTF8" else {
            throw .rejected(
                sqlState: "22021",
                "the encoding of the database is \(encoding); create one with UTF8"
            )
        }
        guard nb_pq_setnonblocking(handle, 1) == 0, nb_pq_enter_pipeline_mode(handle) == 1 else {
            throw disconnected
        }
        deadline = .now + Self.preparationTimeout
        defer { deadline = nil }
        try run(.all(Self.settings.map { Query<Void>(running: $0) }))
        isPrepared = true
    }

    /// Throws if a pooler lets other clients use the connection to the server between the transactions of
    /// this one: then the settings and prepared statements of a session do not stay with it.
    func requireOwnSession(_ url: String) throws(DatabaseError) {
        let process = try serverProcess()
        // A pooler reports a number that it has invented.
        if process == Int64(nb_pq_backend_pid(handle)) { return }
        let repeated = try serverProcess()
        var other: Int64?
        do {
            other = try Connection(url: url).serverProcess()
        } catch {
            // The pool has no second connection, so this session does not share the first one.
            guard case .disconnected = error else { throw error }
        }
        if repeated != process || other == process { throw .failed(DatabaseError.sharedSession) }
    }

    /// The number of the process of the server that serves the connection.
    private func serverProcess() throws(DatabaseError) -> Int64 {
        try run(Query<Int64>(Self.readProcess, otherwise: 0))
    }

    private static let readProcess = SQL("SELECT pg_backend_pid()")

    /// Limits how long each statement waits for a lock.
    func setLockTimeout(_ timeout: Duration) throws(DatabaseError) {
        if lockTimeout == timeout { return }
        try run(Query<Void>(running: Self.writeLockTimeout, Int64(timeout / .milliseconds(1))))
        lockTimeout = timeout
    }

    private static let writeLockTimeout = SQL(
        "SELECT set_config('lock_timeout', ($1::bigint)::text, false)"
    )

    private static let settings = [
        "SET default_transaction_isolation = 'read committed'",
        "SET client_min_messages = warning",
        // Another instance that hangs in a transaction must not stop this one.
        "SET lock_timeout = '5s'",
        "SET idle_in_transaction_session_timeout = '10s'",
        // A confirmed booking is on the disk, whatever the default of the database is.
        """
        SELECT set_config('synchronous_commit', 'on', false)
        WHERE current_setting('synchronous_commit') = 'off'
        """,
    ].map { SQL($0) }
}

/// Counts the warnings that the server sends over a connection.
final class WarningCounter {
    private(set) var count = 0

    init(_ connection: OpaquePointer) {
        // libpq calls this only during its functions for this connection. The owner of the connection
        // also owns this object, so the pointer to it is valid then.
        nb_pq_set_notice_receiver(
            connection,
            { context, result in
                guard let context, let result, let severity = nb_pq_result_error_field(result, 86)
                else { return }
                if String(cString: severity) == "WARNING" {
                    Unmanaged<WarningCounter>.fromOpaque(context).takeUnretainedValue().count += 1
                }
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }
}
