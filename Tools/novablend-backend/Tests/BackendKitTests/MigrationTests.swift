import Domain
import Testing

@testable import BackendKit

@Suite("A database that an older version left", .timeLimit(.minutes(2)))
struct MigrationTests {
    private static let idempotency = """
        CREATE TABLE idempotency (
            key TEXT PRIMARY KEY, body BLOB NOT NULL, response BLOB NOT NULL
        ) STRICT
        """

    private static func appointments(_ minutes: String) -> String {
        """
        CREATE TABLE appointments (
            id TEXT PRIMARY KEY, salon_id TEXT NOT NULL, instant INTEGER NOT NULL,
            offset_minutes INTEGER NOT NULL, phone TEXT NOT NULL, email TEXT, notes TEXT,
            version INTEGER NOT NULL, \(minutes) UNIQUE (salon_id, instant)
        ) STRICT
        """
    }

    private static func row(_ time: AppointmentTime, _ minutes: String) -> String {
        """
        INSERT INTO appointments VALUES ('a', '\(RoundTheClock.id)',
            \(time.instant.secondsSince1970), 60, '12345', NULL, 'n', 1\(minutes))
        """
    }

    @Test("before bookings had a length they were of half an hour")
    func withoutLength() throws {
        let database = try TemporaryDatabase()
        let booked = try RoundTheClock.time(60)
        try database.run(Self.appointments(""), Self.row(booked, ""))
        for _ in 0..<2 {
            let remote = try RoundTheClock(database: database.path, minutes: 15)
            defer { remote.backend.stop() }
            #expect(remote.post(try RoundTheClock.time(75))?.status == 409)
            let slots = try remote.slots(from: try RoundTheClock.time(45), minutes: 60)
            #expect(slots.map(\.isAvailable) == [true, false, false, true])
        }
    }

    @Test("before bookings could be cancelled all took place; now their times are free again")
    func withoutStatus() throws {
        let database = try TemporaryDatabase()
        let time = try RoundTheClock.time(60)
        let length = "minutes INTEGER NOT NULL DEFAULT 30,"
        try database.run(Self.appointments(length), Self.row(time, ", 60"), Self.idempotency)
        let first = try RoundTheClock(database: database.path)
        let booking = BookingRequest(
            salonID: RoundTheClock.id,
            time: AppointmentTime(instant: time.instant, offsetMinutes: 60),
            phone: "12345",
            note: "n"
        )
        #expect(
            try first.appointments() == [Appointment(booking: booking, id: "a", version: 1)]
        )
        #expect(first.post(try RoundTheClock.time(90))?.status == 409)
        #expect(first.delete("a", match: "\"1\"")?.status == 200)
        #expect(first.post(time)?.status == 201)
        #expect(first.post(time)?.status == 409)
        first.backend.stop()
        let second = try RoundTheClock(database: database.path)
        defer { second.backend.stop() }
        #expect(try second.appointments().map(\.status).count { $0 == .cancelled } == 1)
        #expect(second.post(time)?.status == 409)
    }

    @Test("a key of before was of a booking: the first answer again, and a conflict with a change")
    func keys() throws {
        let database = try TemporaryDatabase()
        let time = try RoundTheClock.time(60)
        let body = RoundTheClock.booking(time)
        let answer = #"{"id":"a","version":1,"# + body.dropFirst()
        try database.run(
            Self.appointments("minutes INTEGER NOT NULL DEFAULT 30,"),
            Self.row(time, ", 30"),
            Self.idempotency,
            """
            INSERT INTO idempotency
            VALUES ('k', CAST('\(body)' AS BLOB), CAST('\(answer)' AS BLOB))
            """
        )
        let remote = try RoundTheClock(database: database.path)
        defer { remote.backend.stop() }
        let again = try #require(remote.post(time, key: "k"))
        #expect(again.status == 201 && again.body == answer)
        #expect(remote.delete("a", key: "k")?.body.contains("idempotencyConflict") == true)
        #expect(remote.delete("a", key: "l")?.status == 200)
    }

    @Test("a database that cannot be taken over is left as it was")
    func rolledBack() throws {
        let database = try TemporaryDatabase()
        let time = try RoundTheClock.time(60)
        try database.run(
            Self.appointments(""),
            Self.row(time, ""),
            "CREATE TABLE older_appointments (x TEXT) STRICT"
        )
        #expect(throws: (any Error).self) { try RoundTheClock(database: database.path) }
        #expect(try database.run("SELECT id FROM appointments") == [[.text("a")]])
        let columns = try database.run("SELECT name FROM pragma_table_info('appointments')")
        #expect(columns.count == 8)
    }
}
