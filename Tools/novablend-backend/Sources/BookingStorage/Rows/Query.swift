/// Statements with their parameters, and how their results are read. Usually there is one.
package struct Query<Output> {
    package typealias Statement = (sql: SQL, values: [any SQLParameter])

    /// The statements; empty if the output is known without sending any.
    package let statements: [Statement]
    /// Whether there is something to commit after the statements.
    package let writes: Bool
    /// Reads the results of the statements.
    package let read: (any StatementResults) throws(StorageFailure) -> Output

    private init(
        _ statements: [Statement],
        writes: Bool = false,
        _ read: @escaping (any StatementResults) throws(StorageFailure) -> Output
    ) {
        self.statements = statements
        self.writes = writes
        self.read = read
    }

    /// A query that sends nothing and returns `output`.
    package static func value(_ output: Output) -> Query {
        Query([]) { _ in output }
    }

    /// A query that sends the statements of all `queries` and returns their outputs.
    package static func all<Element>(
        _ queries: [Query<Element>]
    ) -> Query where Output == [Element] {
        Query(queries.flatMap(\.statements), writes: queries.contains { $0.writes }) {
            results throws(StorageFailure) in
            var outputs: [Element] = []
            for query in queries { outputs.append(try query.read(results)) }
            return outputs
        }
    }

    /// A query that sends the statements of several queries and combines their outputs.
    package static func combining<each Part>(
        _ query: repeat Query<each Part>,
        as make: @escaping (repeat each Part) -> Output
    ) -> Query {
        var statements: [Statement] = []
        var writes = false
        for query in repeat each query {
            statements += query.statements
            writes = writes || query.writes
        }
        return Query(statements, writes: writes) { results throws(StorageFailure) in
            make(repeat try (each query).read(results))
        }
    }

    /// A query that sends these statements and transforms the output.
    package func map<New>(
        _ transform: @escaping (Output) throws(StorageFailure) -> New
    ) -> Query<New> {
        Query<New>(statements, writes: writes) { results throws(StorageFailure) in
            try transform(try read(results))
        }
    }

    /// Lets `update` add rows to the output until it returns false.
    private init(
        _ sql: SQL,
        _ parameters: [any SQLParameter],
        into initial: Output,
        while update:
            @escaping (inout Output, any ColumnReader) throws(StorageFailure) -> Bool
    ) {
        self.init([(sql, parameters)]) { results throws(StorageFailure) in
            var output = initial
            try results.nextRows { row throws(StorageFailure) in try update(&output, row) }
            return output
        }
    }

    /// Lets `update` add each row to the output.
    package init(
        _ sql: SQL,
        _ parameters: [any SQLParameter],
        into initial: Output,
        _ update: @escaping (inout Output, any ColumnReader) throws(StorageFailure) -> Void
    ) {
        self.init(
            sql,
            parameters,
            into: initial,
            while: { output, row throws(StorageFailure) in
                try update(&output, row)
                return true
            }
        )
    }

    /// Reads each row.
    package init<Element>(
        _ sql: SQL,
        _ parameters: any SQLParameter...,
        eachRow read: @escaping (any ColumnReader) throws(StorageFailure) -> Element
    ) where Output == [Element] {
        self.init(sql, parameters, into: []) { rows, row throws(StorageFailure) in
            rows.append(try read(row))
        }
    }

    /// Returns each row.
    package init<Element: StoredRow>(
        _ sql: SQL,
        _ parameters: any SQLParameter...
    ) where Output == [Element] {
        self.init(sql, parameters, into: []) { rows, row throws(StorageFailure) in
            rows.append(try Element(row: row))
        }
    }

    /// Reads the first row; nil if there are no rows.
    package init<Element>(
        _ sql: SQL,
        _ parameters: [any SQLParameter],
        firstRow read: @escaping (any ColumnReader) throws(StorageFailure) -> Element
    ) where Output == Element? {
        self.init(
            sql,
            parameters,
            into: nil,
            while: { first, row throws(StorageFailure) in
                first = try read(row)
                return false
            }
        )
    }

    /// Returns the first row; nil if there are no rows.
    package init<Element: StoredRow>(
        _ sql: SQL,
        _ parameters: any SQLParameter...
    ) where Output == Element? {
        self.init(sql, parameters, firstRow: Element.read)
    }

    /// Returns the first row; `other` if there are no rows.
    package init(
        _ sql: SQL,
        _ parameters: any SQLParameter...,
        otherwise other: Output
    ) where Output: StoredRow {
        let first = Query<Output?>(sql, parameters, firstRow: Output.read)
        self = first.map { $0 ?? other }
    }

    /// Returns the only row. Throws `failure` if there are no rows.
    package init(
        _ sql: SQL,
        _ parameters: any SQLParameter...,
        orThrow failure: StorageFailure
    ) where Output: StoredRow {
        let first = Query<Output?>(sql, parameters, firstRow: Output.read)
        self = first.map { row throws(StorageFailure) in
            guard let row else { throw failure }
            return row
        }
    }
}

extension StoredRow {
    fileprivate static func read(_ row: any ColumnReader) throws(StorageFailure) -> Self {
        try Self(row: row)
    }
}

extension Query<Int> {
    /// Returns the number of written rows.
    package init(_ sql: SQL, _ parameters: any SQLParameter...) {
        self.init(sql, values: parameters)
    }

    /// Returns the number of written rows.
    package init(_ sql: SQL, values: [any SQLParameter]) {
        self.init([(sql, values)], writes: true) { results throws(StorageFailure) in
            try results.nextCount()
        }
    }
}

extension Query<Void> {
    /// Ignores the result.
    package init(running sql: SQL, _ parameters: any SQLParameter...) {
        self.init([(sql, parameters)]) { results throws(StorageFailure) in
            _ = try results.nextCount()
        }
    }
}

/// The results of statements. Each is read once, in their order.
package protocol StatementResults: AnyObject {
    /// Reads the rows of the next statement until `body` returns false.
    func nextRows(
        _ body: (any ColumnReader) throws(StorageFailure) -> Bool
    ) throws(StorageFailure)

    /// The number of rows that the next statement has written.
    func nextCount() throws(StorageFailure) -> Int
}
