import BookingStorage
import Synchronization

/// Connections that only read. A call uses one on its own thread, so readers wait neither for each
/// other nor for the writer.
final class ReaderPool: @unchecked Sendable {
    private static let maximumIdle = 16

    private let file: DatabaseFile
    // A connection is either here or used by the one call that has taken it from here.
    private let idle = Mutex<State>(State())

    private struct State: @unchecked Sendable {
        var connections: [Database] = []
        var isClosed = false
    }

    init(_ file: DatabaseFile) { self.file = file }

    /// Runs `body`, in which each query sees one state of the database.
    func read<R>(
        _ body: (Database) throws -> R
    ) throws(Problem) -> R {
        let taken = idle.withLock { ($0.connections.popLast(), $0.isClosed) }
        if taken.1 { throw .unavailable(StorageFailure(.closed, "the store was closed")) }
        do {
            let database = try connection(taken.0)
            let result = try body(database)
            put(database)
            return result
        } catch {
            throw file.isInPlace ? Problem(error) : .unavailable(file.replaced)
        }
    }

    /// The idle connection, or else a new one.
    private func connection(_ idle: Database?) throws(StorageFailure) -> Database {
        if let idle {
            guard file.wasInPlace else { throw file.replaced }
            return idle
        }
        let database = try Database(path: file.path, access: .read)
        // After opening, because the path could lead to a different file now.
        try file.requireInPlace()
        return database
    }

    /// Closes the connections. Calls in progress close theirs when they end.
    func close() {
        let connections = idle.withLock { state in
            defer { state = State(connections: [], isClosed: true) }
            return state.connections
        }
        _ = connections
    }

    private func put(_ database: Database) {
        idle.withLock { state in
            if !state.isClosed, state.connections.count < Self.maximumIdle {
                state.connections.append(database)
            }
        }
    }
}
