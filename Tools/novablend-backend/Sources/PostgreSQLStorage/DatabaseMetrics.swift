import BookingStorage
import NovaBlendMetrics

/// What the sessions of a store have done.
final class DatabaseMetrics: Sendable {
    /// Why a transaction runs again.
    enum RetryReason: String, CaseIterable {
        /// A different transaction has taken the same time, used the same key, or changes the salon, or
        /// could take the same staff without a conflict of rows.
        case race
        /// A deadlock, a lock timeout, or a serialization failure.
        case conflict
        /// The connection failed before the commit.
        case connection
    }

    let commits = CommitMetrics(sizes: [1, 2, 4, 8, 16])
    /// The commits whose result was not known at first.
    let unknownCommits = Counter()
    let opened = Counter()
    let closed = Counter()
    private let retries = RetryReason.allCases.map { ($0, Counter()) }

    /// The number of connections that are open.
    var openConnections: Int {
        // `closed` is read first, because a connection may be opened and closed between the two reads.
        let closed = closed.value
        return opened.value - closed
    }

    func countRetry(_ reason: RetryReason) {
        retries.first { $0.0 == reason }?.1.increment()
    }

    func write(to text: inout MetricsText) {
        commits.write(to: &text)
        text.metric(
            "novablend_database_unknown_commits_total",
            .counter,
            "Commits whose result was not known at first, because the connection failed.",
            unknownCommits.value
        )
        text.metric(
            "novablend_database_connections",
            .gauge,
            "Connections to the database that are open.",
            openConnections
        )
        text.metric(
            "novablend_database_connections_opened_total",
            .counter,
            "Connections to the database that were opened.",
            opened.value
        )
        let metric = "novablend_database_retries_total"
        text.begin(metric, .counter, "Attempts that were repeated, by reason.")
        for (reason, counter) in retries {
            text.sample(metric, counter.value, ["reason": reason.rawValue])
        }
    }
}
