import BookingStorage
import NovaBlendPQ

/// The result of one statement.
final class QueryResult {
    private let handle: OpaquePointer

    /// Takes the ownership of a result of libpq.
    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { nb_pq_clear(handle) }

    var status: ExecStatusType { nb_pq_result_status(handle) }

    /// The kind of a completed statement, such as `COMMIT`.
    var tag: String { String(cString: nb_pq_cmd_status(handle)) }

    /// The number of rows that an INSERT, UPDATE, or DELETE has written.
    var changedRows: Int { Int(String(cString: nb_pq_cmd_tuples(handle))) ?? 0 }

    /// The results of several statements.
    final class Sequence: StatementResults {
        private var rest: ArraySlice<QueryResult>

        init(_ results: ArraySlice<QueryResult>) { rest = results }

        func nextRows(
            _ body: (any ColumnReader) throws(StorageFailure) -> Bool
        ) throws(StorageFailure) {
            guard let result = rest.popFirst() else { return }
            for index in 0..<nb_pq_ntuples(result.handle) {
                guard try body(Row(result: result, index: index)) else { return }
            }
        }

        func nextCount() -> Int { rest.popFirst()?.changedRows ?? 0 }
    }

    /// A field of an error or a warning; empty if it has none.
    func field(_ code: Character) -> String {
        guard let byte = code.asciiValue, let text = nb_pq_result_error_field(handle, Int32(byte))
        else { return "" }
        return String(cString: text)
    }

    /// A row of the result. Its columns are counted from 0.
    struct Row: ColumnReader {
        fileprivate let result: QueryResult
        fileprivate let index: Int32

        var columnCount: Int32 { nb_pq_nfields(result.handle) }

        func isNull(_ column: Int32) -> Bool {
            nb_pq_getisnull(result.handle, index, column) != 0
        }

        func bool(_ column: Int32) -> Bool { withBytes(column) { $0.first == UInt8(ascii: "t") } }

        func integer(_ column: Int32) -> Int64 {
            withBytes(column) { bytes in
                Int64(String(decoding: bytes, as: UTF8.self)) ?? 0
            }
        }

        func text(_ column: Int32) -> String { withBytes(column, EscapedText.unescape) }

        func withBytes<R>(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
            let count = Int(nb_pq_getlength(result.handle, index, column))
            let start = UnsafeRawPointer(nb_pq_getvalue(result.handle, index, column))
            let bytes = UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count)
            return body(bytes.assumingMemoryBound(to: UInt8.self))
        }
    }
}
