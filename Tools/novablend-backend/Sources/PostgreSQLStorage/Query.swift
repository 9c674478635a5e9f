/// A statement with its parameters, and how its result is read.
struct Query<Output> {
    /// Nil if nothing is sent, because the output is known.
    let sql: SQL?
    let parameters: [String?]
    let read: (QueryResult?) throws(DatabaseError) -> Output

    private init(
        _ sql: SQL?,
        _ parameters: [any SQLParameter],
        _ read: @escaping (QueryResult?) throws(DatabaseError) -> Output
    ) {
        self.sql = sql
        self.parameters = parameters.map(\.sqlText)
        self.read = read
    }

    /// Sends nothing and returns `output`.
    static func value(_ output: Output) -> Query {
        Query(nil, []) { _ in output }
    }

    /// Reads all rows at once.
    init(
        _ sql: SQL,
        _ parameters: any SQLParameter...,
        rows read: @escaping ([QueryResult.Row]) throws(DatabaseError) -> Output
    ) {
        self.init(sql, parameters) { result throws(DatabaseError) in try read(result?.rows ?? []) }
    }

    /// Reads each row.
    init<Element>(
        _ sql: SQL,
        _ parameters: any SQLParameter...,
        eachRow read: @escaping (QueryResult.Row) throws(DatabaseError) -> Element
    ) where Output == [Element] {
        self.init(sql, parameters) { result throws(DatabaseError) in
            try (result?.rows ?? []).map(read)
        }
    }

    /// Reads the first row; nil without rows.
    init<Element>(
        _ sql: SQL,
        _ parameters: any SQLParameter...,
        firstRow read: @escaping (QueryResult.Row) throws(DatabaseError) -> Element
    ) where Output == Element? {
        self.init(sql, parameters) { result throws(DatabaseError) in
            try result?.rows.first.map(read)
        }
    }
}

extension Query<Int> {
    /// Returns the number of written rows.
    init(_ sql: SQL, _ parameters: any SQLParameter...) {
        self.init(sql, parameters) { $0?.changedRows ?? 0 }
    }
}

extension Query<Void> {
    /// Ignores the result.
    init(running sql: SQL, _ parameters: any SQLParameter...) {
        self.init(sql, parameters) { _ in }
    }
}

extension Query<String> {
    /// Returns the kind of the completed statement.
    init(tagOf sql: SQL) {
        self.init(sql, []) { $0?.tag ?? "" }
    }
}
