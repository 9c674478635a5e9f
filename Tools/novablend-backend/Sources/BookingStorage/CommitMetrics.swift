package import NovaBlendMetrics

/// What a store has committed.
package final class CommitMetrics: Sendable {
    /// The number of changes in each transaction.
    package let sizes: Histogram
    /// How long each COMMIT took. That is mostly the sync of the disk, and the wait for a standby.
    package let durations = Histogram.ofDurations()

    /// - Parameter sizes: The bounds of the numbers of changes.
    package init(sizes: [Int]) { self.sizes = Histogram(bounds: sizes, unit: .count) }

    package func write(to text: inout MetricsText) {
        let sizeHelp = "Changes in each transaction of the database."
        text.metric("novablend_database_batch_size", sizeHelp, sizes)
        let help = "Time that each commit of the database took."
        text.metric("novablend_database_commit_duration_seconds", help, durations)
    }
}
