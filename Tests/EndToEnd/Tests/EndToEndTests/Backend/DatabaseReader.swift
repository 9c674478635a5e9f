import Foundation
import Testing

/// A different process that reads the database file of a backend.
enum DatabaseReader {
    /// Expects that the table of taken five-minute grains contains exactly those of the active
    /// appointments and of the holds that have not ended.
    static func expectConsistentOccupancy(in database: String, _ step: String) async throws {
        let script = """
            import collections, sqlite3, sys, time
            connection = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True, timeout=30)
            connection.execute("BEGIN")
            columns = '''id, salon_id, instant - buffer_before * 60,
                instant + (minutes + buffer_after) * 60, staff_id, seats'''
            owners = connection.execute(
                f'''SELECT {columns} FROM appointments WHERE status = 'booked'
                UNION ALL SELECT {columns} FROM holds WHERE expires_at > ?''', [time.time()])
            expected, actual = collections.Counter(), collections.Counter()
            for owner, salon, start, end, staff, seats in owners:
                for grain in range(start // 300, -(-end // 300)):
                    expected[owner, salon, grain, f"staff {staff}" if staff else "seat"] += seats
            occupancy = connection.execute("SELECT owner, salon_id, grain, resource FROM occupancy")
            for owner, salon, grain, resource in occupancy:
                actual[owner, salon, grain, resource if "staff" in resource else "seat"] += 1
            print(len(expected), "grains")
            for kind, rows in ("missing", expected - actual), ("extra", actual - expected):
                for row in list(rows.items())[:5]:
                    print(kind, row)
            """
        let child = try ChildProcess("/usr/bin/python3", ["-c", script, database])
        let lines = await child.remainingOutput().split(separator: "\n")
        try #require(await child.exitCode() == 0, "\(step): \(child.standardError())")
        #expect(lines.count == 1, "\(step): \(lines)")
    }
}
