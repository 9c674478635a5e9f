import NovaBlendMetrics

/// What the writer has committed.
final class CommitMetrics: Sendable {
    /// The number of changes in each transaction.
    let sizes = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64], unit: .count)
    /// How long each COMMIT took. That is mostly the sync of the disk.
    let durations = Histogram.ofDurations()

    func write(to text: inout MetricsText) {
        let sizeHelp = "Changes in each transaction of the database."
        text.metric("novablend_database_batch_size", sizeHelp, sizes)
        let help = "Time that each commit of the database took."
        text.metric("novablend_database_commit_duration_seconds", help, durations)
    }
}
