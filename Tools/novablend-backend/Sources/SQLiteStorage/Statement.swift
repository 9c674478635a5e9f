import BookingStorage
import NovaBlendSystemSQLite

/// A prepared statement of one connection.
final class Statement {
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private let handle: OpaquePointer
    /// The code of the first value that could not be bound.
    private var bindingCode = SQLITE_OK

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { sqlite3_finalize(handle) }

    // MARK: Parameters

    /// Binds the first parameters. Parameters after them stay NULL.
    func bind(_ parameters: [any SQLParameter]) {
        for (index, parameter) in parameters.enumerated() {
            let code = bind(Int32(index + 1), parameter.sqlValue)
            if bindingCode == SQLITE_OK { bindingCode = code }
        }
    }

    private func bind(_ index: Int32, _ value: SQLValue) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(handle, index)
        case .boolean(let value): sqlite3_bind_int64(handle, index, value ? 1 : 0)
        case .integer(let value): sqlite3_bind_int64(handle, index, value)
        case .text(var value): value.withUTF8 { bind(index, $0) }
        }
    }

    private func bind(_ index: Int32, _ text: UnsafeBufferPointer<UInt8>) -> Int32 {
        // The length is explicit because text may contain NUL.
        let start = UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self)
        let count = Int32(clamping: text.count)
        return start == nil
            ? sqlite3_bind_text(handle, index, "", 0, Self.transient)
            : sqlite3_bind_text(handle, index, start, count, Self.transient)
    }

    // MARK: Rows

    /// Moves to the next row. Returns its result code: SQLITE_ROW, SQLITE_DONE, or an error.
    func step() -> Int32 {
        bindingCode == SQLITE_OK ? sqlite3_step(handle) : bindingCode
    }

    /// Ends the statement, so that it can run again. Its values are released.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        bindingCode = SQLITE_OK
    }
}

extension Statement: ColumnReader {
    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    func bool(_ column: Int32) -> Bool { integer(column) != 0 }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func text(_ column: Int32) -> String {
        withBytes(column) { String(decoding: $0, as: UTF8.self) }
    }

    /// Calls `body` with the bytes of a text or a blob.
    func withBytes<R>(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        // The pointer first: asking for it can convert the value and so change the count.
        let start = sqlite3_column_blob(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        let bytes = UnsafeRawBufferPointer(start: start, count: count)
        return body(bytes.assumingMemoryBound(to: UInt8.self))
    }
}
