package import Domain
package import NovaBlendMetrics

/// The access to the database of a store, without its details.
public struct StoreDatabase: Sendable {
    package let access: any DatabaseAccess

    package init(_ access: any DatabaseAccess) { self.access = access }
}

/// Runs statements and transactions. The other requirements are the queries that differ between
/// databases.
package protocol DatabaseAccess: Sendable {
    var salons: DecodedSalonCache { get }
    var monitor: ClockMonitor { get }

    /// Runs a query, which sees the database at one moment. `makeQuery` receives the current time,
    /// or nil if the clock of the database is used.
    func read<Value: Sendable>(
        within timeout: Duration?,
        _ makeQuery: @escaping @Sendable (_ now: Timestamp?) -> Query<Value>
    ) async throws(Problem) -> Value

    /// Makes a change in one transaction.
    ///
    /// - Parameter isRepeatable: Whether the change may be made again if its outcome is unknown: a
    ///   second time, it changes nothing.
    func write<Value: Sendable>(
        isRepeatable: Bool,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws(Problem) -> Value

    /// The result of ``ExpiredRows/count(now:keyTables:deleted:)`` for this database.
    var expiredRows: SQL { get }
    var holds: HoldStatements { get }

    /// The statement for ``StoredAppointment/active(_:of:startingFrom:endingAfter:limit:)``.
    var activeAppointments: SQL { get }
    /// The statement for ``SalonAgenda/query(_:of:from:to:now:_:)``.
    var agenda: SQL { get }

    /// Lets others use the database after one of several transactions that together change many
    /// rows, and keeps its log short. Throws `locked` if a reader prevents that.
    ///
    /// - Parameter duration: How long the transaction has taken.
    func pause(after duration: Duration) async throws(Problem)

    /// Records that ``purge(_:of:wereStored:)`` must follow, even if this process ends before.
    func beginPurge() async throws(Problem)

    /// Removes what remains of deleted rows with these texts in unused parts of files.
    ///
    /// - Parameters:
    ///   - caller: The customer to whom the rows belonged.
    ///   - wereStored: Whether such rows have been deleted since ``beginPurge()``. If not, nothing is
    ///     changed unless an earlier purge was interrupted, or the files contain the caller.
    func purge(_ texts: Set<String>, of caller: String, wereStored: Bool)
        async throws(StorageFailure)
}

extension DatabaseAccess {
    package func pause(after duration: Duration) async throws(Problem) {}
    package func beginPurge() async throws(Problem) {}
    package func purge(_ texts: Set<String>, of caller: String, wereStored: Bool)
        async throws(StorageFailure)
    {}

    package func read<Value: Sendable>(
        _ makeQuery: @escaping @Sendable (_ now: Timestamp?) -> Query<Value>
    ) async throws(Problem) -> Value {
        try await read(within: nil, makeQuery)
    }

    /// Adds the number of active holds, if it can be read.
    package func writeActiveHolds(to text: inout MetricsText) async {
        let count = try? await read(within: .seconds(1)) { [holds] in holds.activeCount(now: $0) }
        guard let count else { return }
        text.metric("novablend_active_holds", .gauge, "Holds that have not expired.", count)
    }
}
