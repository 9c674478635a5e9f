import Foundation
import Testing

/// A different process that reads the database file of a backend.
enum DatabaseReader {
    /// Expects that the table of taken five-minute grains contains exactly those of the active
    /// appointments and of the holds that have not ended. It may also contain those of holds that
    /// have ended, because they are deleted about a day later.
    static func expectConsistentOccupancy(in database: String, _ step: String) async throws {
        let script = """
            import collections, sqlite3, sys, time
            connection = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True, timeout=30)
            connection.execute("BEGIN")
            # The owner of a grain is the number of an appointment, or the negative number of a hold.
            columns = '''salons.number, instant - buffer_before * 60,
                instant + (minutes + buffer_after) * 60, staff_id, seats'''
            owners = connection.execute(
                f'''SELECT TRUE, appointments.number, {columns} FROM appointments
                JOIN salons ON salons.id = salon_id WHERE status = 'booked'
                UNION ALL SELECT expires_at > ?, -holds.number, {columns} FROM holds
                JOIN salons ON salons.id = salon_id''', [time.time()])
            expected, ended, actual = (collections.Counter() for _ in range(3))
            for is_active, owner, salon, start, end, staff, seats in owners:
                for grain in range(start // 300, -(-end // 300)):
                    grains = expected if is_active else ended
                    grains[owner, salon, grain, staff or "seat"] += seats
            occupancy = connection.execute("SELECT owner, salon, grain, resource FROM occupancy")
            for owner, salon, grain, resource in occupancy:
                seat = isinstance(resource, int)
                actual[owner, salon, grain, "seat" if seat else resource] += 1
            print(len(expected), "grains")
            extra = actual - expected - ended
            for kind, rows in ("missing", expected - actual), ("extra", extra):
                for row in list(rows.items())[:5]:
                    print(kind, row)
            """
        let child = try ChildProcess("/usr/bin/python3", ["-c", script, database])
        let lines = await child.remainingOutput().split(separator: "\n")
        try #require(await child.exitCode() == 0, "\(step): \(child.standardError())")
        #expect(lines.count == 1, "\(step): \(lines)")
    }
}
