import BookingStorage
import Domain
import Synchronization

/// Reads what has changed in the tables of salons and appointments.
///
/// Each row has the id of the transaction that has changed it last. Transactions get their ids in one
/// order and commit in a different one. So a reader sees only the rows of transactions whose id is
/// below ``horizon``: all of them have ended, and no later commit can add a row among them.
enum ChangeRows {
    /// The id of the transaction that makes a change.
    static let thisChange = "pg_current_xact_id()"
    /// The first id that a running transaction may have. It never decreases, and it is constant in a
    /// snapshot.
    static let horizon = "pg_snapshot_xmin(pg_current_snapshot())"

    private static func lastChange(of table: String) -> String {
        "(SELECT change FROM \(table) WHERE change < \(horizon) ORDER BY change DESC LIMIT 1)"
    }

    // The epoch differs if the rows were copied to a different cluster, database, or table, for
    // example by pg_restore, because there the ids of transactions count something else.
    private static let readState = SQL(
        """
        SELECT
            left(encode(sha256(convert_to(concat_ws(
                ' ', cluster.system_identifier, database.oid,
                pg_relation_filenode(feed.tableoid), feed.epoch
            ), 'UTF8')), 'hex'), 16),
            feed.timeline = \(ServerHistory.timeline)
                AND feed.is_synchronous = (\(ServerHistory.isSynchronous)),
            feed.is_synchronous,
            feed.first_number,
            \(horizon),
            greatest('0'::xid8, \(lastChange(of: "appointments")), \(lastChange(of: "salons")))
        FROM change_feed AS feed, pg_control_system() AS cluster, pg_database AS database
        WHERE database.datname = current_database()
        """
    )
    private static let beginSnapshot = SQL("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")

    /// The state of the feed at one moment.
    private struct State: StoredRow {
        /// The position of the last change.
        let latest: ChangeCursor
        /// Whether ``ServerHistory`` is up to date.
        let isCurrent: Bool
        /// Whether commits wait for a standby.
        let isSynchronous: Bool
        /// Positions before this one are too old.
        let firstNumber: Int64
        let horizon: Int64

        init(row: some ColumnReader) {
            latest = ChangeCursor(epoch: row.text(0), number: row.integer(5))
            isCurrent = row.bool(1)
            isSynchronous = row.bool(2)
            firstNumber = row.integer(3)
            horizon = row.integer(4)
        }

        /// Whether all changes after a position are known.
        func knowsChanges(after cursor: ChangeCursor) -> Bool {
            guard cursor.epoch == latest.epoch, cursor.number < horizon else { return false }
            return cursor.number > firstNumber
                || (cursor.number == firstNumber && cursor.element.isEmpty)
        }
    }

    /// What a search can find.
    enum Outcome {
        /// A page. If `isSynchronous` is true, commits wait for a standby, which may still lack the
        /// changes of the page.
        case page(ChangePage, isSynchronous: Bool)
        /// The position is too old, or does not belong to this history.
        case tooOld
        /// ``ServerHistory/update`` must run first.
        case outdatedHistory
    }

    /// The first `limit` elements that have changed after a position and are in the scope, or
    /// only the position of the last change if `cursor` is nil.
    static func page(
        after cursor: ChangeCursor?,
        limit: Int,
        in scope: ChangeScope,
        on connection: Connection,
        _ cache: DecodedSalonCache
    ) throws(DatabaseError) -> Outcome {
        guard let cursor else {
            let state = try connection.run(state)
            if !state.isCurrent { return .outdatedHistory }
            let page = ChangePage(changes: [], cursor: state.latest)
            return .page(page, isSynchronous: state.isSynchronous)
        }
        let position = ChangePosition(cursor)
        // One more than the page has room for, to know whether there are more. Without room for any,
        // the server reads no row.
        func room(for kind: ChangeKinds) -> Int { scope.kinds.contains(kind) ? limit + 1 : 0 }
        let (_, state, appointments, salons, _) = try connection.run(
            Query<Void>(running: beginSnapshot),
            state,
            AppointmentRows.changed(
                after: position,
                limit: room(for: .appointments),
                visibleTo: scope.role
            ),
            SalonRows.changed(after: position, limit: room(for: .salons), cache),
            Query<Void>(running: .commit)
        )
        guard state.isCurrent else { return .outdatedHistory }
        guard state.knowsChanges(after: cursor) else { return .tooOld }
        let page = page(of: appointments + salons, after: cursor, limit, state.latest)
        return .page(page, isSynchronous: state.isSynchronous)
    }

    private static func page(
        of found: [FoundChange],
        after cursor: ChangeCursor,
        _ limit: Int,
        _ latest: ChangeCursor
    ) -> ChangePage {
        // Rows with the same number are in order already.
        let sorted = found.enumerated().sorted {
            ($0.element.number, $0.offset) < ($1.element.number, $1.offset)
        }
        var changes = sorted.map { _, row in
            let end = ChangeCursor(epoch: cursor.epoch, number: row.number, element: row.place)
            return StoredChange(cursor: end, element: row.element)
        }
        // After the last element of a transaction, the position is after the transaction.
        for (index, next) in changes.dropFirst().enumerated()
        where changes[index].cursor.number < next.cursor.number {
            changes[index].cursor.element = ""
        }
        guard changes.count <= limit else {
            changes.removeSubrange(limit...)
            return ChangePage(
                changes: changes,
                cursor: changes.last?.cursor ?? cursor,
                hasMore: true
            )
        }
        // Rows can be deleted, so the last change can be before the position.
        let end = ChangeCursor(epoch: cursor.epoch, number: max(cursor.number, latest.number))
        if let last = changes.indices.last { changes[last].cursor.element = "" }
        return ChangePage(changes: changes, cursor: end)
    }

    private static var state: Query<State> {
        let failure = StorageFailure(.corrupted, "the epoch of the changes is missing")
        return Query(readState, orThrow: failure)
    }
}

/// A position in the order of changes: by the id of the transaction, then appointments before
/// salons, then appointments by a hash of their id and salons by their id.
///
/// The element of a ``ChangeCursor`` is `a` and the hash of an appointment, or `s` and the id of a
/// salon. It does not name an appointment, because the client may not be allowed to see it.
struct ChangePosition {
    let number: Int64
    /// The hash of the last appointment of the transaction before the position.
    let lastAppointment: Int64
    /// The last salon of the transaction before the position.
    let lastSalon: String

    /// The hash of an appointment, as an SQL expression.
    static let hash = "hashtextextended(id, 0)"
    /// A group of 1,024 transactions that began one after the other, as an SQL expression.
    static func group(of change: String) -> String { "(\(change)::text::bigint >> 10)" }

    /// Greater than the id of each salon.
    private static let end = "~"

    init(_ cursor: ChangeCursor) {
        number = cursor.number
        let rest = String(cursor.element.dropFirst())
        switch cursor.element.first {
        case "a":
            lastAppointment = Int64(rest) ?? .max
            lastSalon = ""
        case "s":
            lastAppointment = .max
            lastSalon = rest
        default:
            lastAppointment = .max
            lastSalon = Self.end
        }
    }

    static func element(hash: Int64) -> String { "a\(hash)" }

    static func element(ofSalon id: String) -> String { "s\(id)" }
}

/// The last position of the feed up to which a standby is known to have all changes.
final class ReplicatedPosition: Sendable {
    private let last = Mutex<ChangeCursor?>(nil)

    /// Whether the standby has all changes up to a position.
    func includes(_ cursor: ChangeCursor) -> Bool {
        last.withLock { $0.map { $0.epoch == cursor.epoch && $0.number >= cursor.number } ?? false }
    }

    func record(_ cursor: ChangeCursor) {
        last.withLock { last in
            if let last, last.epoch == cursor.epoch, last.number > cursor.number { return }
            last = cursor
        }
    }
}
