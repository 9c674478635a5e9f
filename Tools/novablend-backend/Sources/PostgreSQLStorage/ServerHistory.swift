import BookingStorage

/// Whether the server has all changes that clients have seen.
///
/// If a standby takes over, PostgreSQL begins a new timeline. It may lack changes that clients have
/// seen, unless each commit has waited for the standby. Then the feed begins a new epoch. The table
/// `change_feed` has one row, which says on which timeline the epoch was valid last, and whether
/// commits waited for a standby. The row is replicated like all others.
enum ServerHistory {
    /// The timeline on which the server writes.
    static let timeline = "left(pg_walfile_name(pg_current_wal_lsn()), 8)"
    /// Whether a commit of this session waits for a standby.
    static let isSynchronous = """
        current_setting('synchronous_standby_names') <> ''
        AND current_setting('synchronous_commit') IN ('on', 'remote_write', 'remote_apply')
        """

    private static let updateRow = SQL(
        """
        UPDATE change_feed SET
            epoch = CASE
                WHEN timeline = \(timeline) OR is_synchronous THEN epoch ELSE gen_random_uuid()
            END,
            timeline = \(timeline),
            is_synchronous = \(isSynchronous)
        WHERE timeline <> \(timeline) OR is_synchronous <> (\(isSynchronous))
        """
    )

    private static let writeMessage = SQL("SELECT pg_logical_emit_message(true, 'novablend', '')")

    /// Writes something into the log, so that the commit waits until the standby has everything that
    /// was committed before. Some of it may be visible, but not replicated: a server that restarts, or
    /// one that has cancelled a waiting commit, does not wait for the standby.
    static var awaitStandby: Query<Void> { Query(running: writeMessage) }

    /// Brings the row up to date, and begins a new epoch if necessary. If several instances do it at
    /// the same time, only the first one changes the row.
    static var update: Query<Void> { Query(running: updateRow) }
}
