import BookingStorage

/// Statements with their parameters, and how their results are read. Usually there is one.
struct Query<Output> {
    typealias Statement = (sql: SQL, parameters: [String?])
    typealias Results = ArraySlice<QueryResult>

    /// Empty if nothing is sent, because the output is known.
    let statements: [Statement]
    /// Removes the results of the statements.
    let read: (inout Results) throws(StorageFailure) -> Output

    private init(
        _ statements: [Statement],
        _ read: @escaping (inout Results) throws(StorageFailure) -> Output
    ) {
        self.statements = statements
        self.read = read
    }

    private init(
        _ sql: SQL,
        _ parameters: [any SQLParameter],
        _ read: @escaping (inout Results) throws(StorageFailure) -> Output
    ) {
        self.init([(sql, parameters.map(\.sqlText))], read)
    }

    /// Sends nothing and returns `output`.
    static func value(_ output: Output) -> Query {
        Query([]) { _ in output }
    }

    /// Sends the statements of all `queries`.
    static func all<Element>(_ queries: [Query<Element>]) -> Query where Output == [Element] {
        Query(queries.flatMap(\.statements)) { results throws(StorageFailure) in
            var outputs: [Element] = []
            for query in queries { outputs.append(try query.read(&results)) }
            return outputs
        }
    }

    /// Reads all rows at once.
    init(
        _ sql: SQL,
        _ parameters: any SQLParameter...,
        rows read: @escaping ([QueryResult.Row]) throws(StorageFailure) -> Output
    ) {
        self.init(sql, parameters) { results throws(StorageFailure) in
            try read(results.popFirst()?.rows ?? [])
        }
    }

    /// Reads each row.
    init<Element>(
        _ sql: SQL,
        _ parameters: any SQLParameter...,
        eachRow read: @escaping (QueryResult.Row) throws(StorageFailure) -> Element
    ) where Output == [Element] {
        self.init(sql, parameters) { results throws(StorageFailure) in
            try (results.popFirst()?.rows ?? []).map(read)
        }
    }

    /// Reads the first row; nil without rows.
    init<Element>(
        _ sql: SQL,
        _ parameters: any SQLParameter...,
        firstRow read: @escaping (QueryResult.Row) throws(StorageFailure) -> Element
    ) where Output == Element? {
        self.init(sql, parameters) { results throws(StorageFailure) in
            try results.popFirst()?.rows.first.map(read)
        }
    }

    /// Returns each row.
    init<Element: StoredRow>(
        _ sql: SQL,
        _ parameters: any SQLParameter...
    ) where Output == [Element] {
        self.init(sql, parameters) { results throws(StorageFailure) in
            try (results.popFirst()?.rows ?? []).map { row throws(StorageFailure) in
                try Element(row: row)
            }
        }
    }

    /// Returns the first row; nil without rows.
    init<Element: StoredRow>(
        _ sql: SQL,
        _ parameters: any SQLParameter...
    ) where Output == Element? {
        self.init(sql, parameters) { results throws(StorageFailure) in
            try results.popFirst()?.rows.first.map { row throws(StorageFailure) in
                try Element(row: row)
            }
        }
    }

    /// Returns the first row; `other` without rows.
    init(
        _ sql: SQL,
        _ parameters: any SQLParameter...,
        otherwise other: Output
    ) where Output: StoredRow {
        self.init(sql, parameters) { results throws(StorageFailure) in
            guard let row = results.popFirst()?.rows.first else { return other }
            return try Output(row: row)
        }
    }

    /// Returns the only row. Throws `failure` without rows.
    init(
        _ sql: SQL,
        _ parameters: any SQLParameter...,
        orThrow failure: StorageFailure
    ) where Output: StoredRow {
        self.init(sql, parameters) { results throws(StorageFailure) in
            guard let row = results.popFirst()?.rows.first else { throw failure }
            return try Output(row: row)
        }
    }
}

extension Query<Int> {
    /// Returns the number of written rows.
    init(_ sql: SQL, _ parameters: any SQLParameter...) { self.init(sql, values: parameters) }

    /// Returns the number of written rows.
    init(_ sql: SQL, values: [any SQLParameter]) {
        self.init(sql, values) { $0.popFirst()?.changedRows ?? 0 }
    }
}

extension Query<Void> {
    /// Ignores the result.
    init(running sql: SQL, _ parameters: any SQLParameter...) {
        self.init(sql, parameters) { _ = $0.popFirst() }
    }
}

extension Query<String> {
    /// Returns the kind of the completed statement.
    init(tagOf sql: SQL) {
        self.init(sql, []) { $0.popFirst()?.tag ?? "" }
    }
}
