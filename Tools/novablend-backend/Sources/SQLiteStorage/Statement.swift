import NovaBlendSystemSQLite

/// A prepared statement of one connection.
final class Statement {
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private let handle: OpaquePointer
    /// The code of the first value that could not be bound.
    private var bindingCode = SQLITE_OK

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { sqlite3_finalize(handle) }

    // MARK: Parameters, counted from 1

    func bind(_ index: Int32, _ value: Int64) {
        record(sqlite3_bind_int64(handle, index, value))
    }

    func bind(_ index: Int32, _ value: Int64?) {
        if let value { bind(index, value) } else { record(sqlite3_bind_null(handle, index)) }
    }

    func bind(_ index: Int32, _ value: String) {
        var value = value
        let code = value.withUTF8 { bytes in
            // The length is explicit because text may contain NUL.
            let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            let count = Int32(clamping: bytes.count)
            return start == nil
                ? sqlite3_bind_text(handle, index, "", 0, Self.transient)
                : sqlite3_bind_text(handle, index, start, count, Self.transient)
        }
        record(code)
    }

    func bind(_ index: Int32, _ value: String?) {
        if let value { bind(index, value) } else { record(sqlite3_bind_null(handle, index)) }
    }

    func bind(_ index: Int32, _ value: [UInt8]) {
        // `sqlite3_bind_blob` with a null pointer, as for an empty array, would bind NULL.
        let code =
            value.isEmpty
            ? sqlite3_bind_zeroblob(handle, index, 0)
            : sqlite3_bind_blob(handle, index, value, Int32(clamping: value.count), Self.transient)
        record(code)
    }

    func bind(_ index: Int32, _ value: [UInt8]?) {
        if let value { bind(index, value) } else { record(sqlite3_bind_null(handle, index)) }
    }

    private func record(_ code: Int32) {
        if bindingCode == SQLITE_OK { bindingCode = code }
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

    // MARK: Columns of the current row, counted from 0

    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    func isInteger(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_INTEGER
    }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func text(_ column: Int32) -> String { String(decoding: raw(column), as: UTF8.self) }

    func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    func bytes(_ column: Int32) -> [UInt8] { Array(raw(column)) }

    /// Calls `body` with the bytes of a text or a blob.
    func withBytes<R>(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        body(raw(column).assumingMemoryBound(to: UInt8.self))
    }

    private func raw(_ column: Int32) -> UnsafeRawBufferPointer {
        // The pointer first: asking for it can convert the value and so change the count.
        let start = sqlite3_column_blob(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        return UnsafeRawBufferPointer(start: start, count: count)
    }
}
