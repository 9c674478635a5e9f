import BookingStorage

extension Session {
    /// The first `limit` changes after a position; nil if the position is too old or does not belong to
    /// this history. If commits wait for a standby, the standby has these changes.
    func changes(
        after cursor: ChangeCursor?,
        limit: Int,
        in scope: ChangeScope,
        _ replicated: ReplicatedPosition,
        until deadline: ContinuousClock.Instant
    ) throws(Problem) -> ChangePage? {
        while true {
            let outcome = try read(until: deadline) { connection, salons throws(DatabaseError) in
                try ChangeRows.page(
                    after: cursor,
                    limit: limit,
                    in: scope,
                    on: connection,
                    salons
                )
            }
            switch outcome {
            case .page(let page, let isSynchronous):
                guard isSynchronous, page.cursor != cursor, !replicated.includes(page.cursor)
                else { return page }
                let connection = connectionNumber
                try write(ServerHistory.awaitStandby, until: deadline)
                // A different server may lack what was read, and its standby, too.
                guard connectionNumber == connection else { continue }
                replicated.record(page.cursor)
                return page
            case .tooOld: return nil
            case .outdatedHistory:
                guard ContinuousClock.now < deadline else {
                    let message = "the settings of the server change all the time"
                    throw .unavailable(StorageFailure(.locked, message))
                }
                try write(ServerHistory.update, until: deadline)
            }
        }
    }

    /// Runs a statement that can be repeated, in a transaction of its own.
    private func write(
        _ query: Query<Void>,
        until deadline: ContinuousClock.Instant
    ) throws(Problem) {
        do {
            try write(until: deadline, awaitEarlier: { _ in }) {
                try $0.run(query)
                $0.hasChanges = true
            }
        } catch {
            guard let doubt = error.doubt else { throw error }
            // The caller only reads, so for it nothing is in doubt.
            throw .unavailable(StorageFailure(.unreachable, doubt.description))
        }
    }
}
