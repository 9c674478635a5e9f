import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Testing

@testable import SQLiteStorage

@Suite("Migrations", .timeLimit(.minutes(10)))
struct MigrationTests {
    private static let salonID = "00000000-0000-0000-0000-000000000001"

    /// A database of version 1 with an active and a cancelled appointment, the keys that booked
    /// them, and a voided key.
    private func makeFirstVersion(_ database: borrowing TemporaryDatabase) throws {
        let connection = try Database(path: database.path, access: .create)
        try Migration.all[0].apply(connection, [])
        try database.run(
            """
            INSERT INTO appointments VALUES
            ('a', '\(Self.salonID)', 2000000000, 60, '12345', 'a@b.example', 'n', 3, 45, 'booked',
                'k'),
            ('b', '\(Self.salonID)', 2000000000, 0, '54321', NULL, NULL, 2, 30, 'cancelled', NULL)
            """,
            """
            INSERT INTO idempotency VALUES
            ('k', 1900000000, 'POST', '/appointments', X'6162', CAST('\(Self.response)' AS BLOB)),
            ('v', 1900000001, NULL, NULL, NULL, NULL)
            """,
            "PRAGMA user_version = 1"
        )
    }

    /// The response that version 1 stored for the booking of `a`, which was changed twice since.
    private static let response = """
        {"id":"a","version":1,"salonId":"\(salonID)",\
        "appointmentTime":"2033-05-18T04:33:20+0100","phone":"12345","email":"a@b.example",\
        "notes":"n","idempotencyKey":"k"}
        """

    private func open(_ path: String, newSalons: [Salon] = []) throws -> SQLiteBookingStore {
        let clock = ManualClock(Timestamp(secondsSince1970: 1_900_000_002))
        return try SQLiteBookingStore(path: path, clock: clock, newSalons: newSalons)
    }

    @Test("a database of version 1 keeps its appointments and keys, and gets the salons")
    func data() async throws {
        let database = try TemporaryDatabase()
        try makeFirstVersion(database)
        let store = try open(database.path, newSalons: [Samples.salon()])
        defer { store.close() }
        let appointments = try await store.appointments(after: nil, limit: 9)
        var time = AppointmentTime(
            instant: Timestamp(secondsSince1970: 2_000_000_000),
            offsetMinutes: 60
        )
        let booking = BookingRequest(
            salonID: Samples.salonID(),
            time: time,
            phone: "12345",
            email: "a@b.example",
            note: "n"
        )
        time.offsetMinutes = 0
        let cancelled = BookingRequest(salonID: Samples.salonID(), time: time, phone: "54321")
        #expect(
            appointments == [
                StoredAppointment(
                    id: "a",
                    booking: booking,
                    version: 3,
                    minutes: 45,
                    idempotencyKey: "k"
                ),
                StoredAppointment(
                    id: "b",
                    booking: cancelled,
                    version: 2,
                    status: .cancelled,
                    minutes: 30
                ),
            ]
        )
        let ofCustomer = try await store.appointments(
            after: nil,
            limit: 9,
            visibleTo: .customer(phone: "54321")
        )
        #expect(ofCustomer.map(\.id) == ["b"])
        #expect(try await store.salon(Samples.salonID())?.version == 1)
        let request = KeyedRequest(
            key: IdempotencyKey("k"),
            method: "POST",
            path: "/appointments",
            body: [0x61, 0x62]
        )
        let replayed = try await store.book(booking, as: request, minutes: 30)
        #expect(replayed.id == "a" && replayed.version == 1 && replayed.minutes == 45)
        let failure = await #expect(throws: StoreError.self) {
            var voided = request
            voided.key.text = "v"
            _ = try await store.book(booking, as: voided, minutes: 30)
        }
        guard case .keyVoided = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    /// A database of version 2, whose appointments were booked to the second: `a` and `b` share a
    /// five-minute interval, and so do `b` and `c`. `d` is cancelled, `e` is past, and `f` is at the
    /// end of time.
    private func makeSecondVersion(_ database: borrowing TemporaryDatabase) throws {
        let connection = try Database(path: database.path, access: .create)
        for migration in Migration.all.prefix(2) { try migration.apply(connection, []) }
        for (id, instant, minutes, status) in [
            ("a", 4_000_000_020, 10, "booked"), ("b", 4_000_000_620, 7, "booked"),
            ("c", 4_000_001_040, 2, "booked"), ("d", 4_000_000_020, 10, "cancelled"),
            ("e", 1_000_000_020, 10, "booked"), ("f", Int.max, 30, "booked"),
        ] {
            try database.run(
                """
                INSERT INTO appointments VALUES
                ('\(Self.salonID)', '\(id)', \(instant), 0, \(minutes), '\(status)', 1, '12345', NULL,
                    NULL, NULL)
                """
            )
        }
        try database.run("PRAGMA user_version = 2")
    }

    @Test("active future appointments of version 2 occupy their time, even if two share it")
    func occupancy() async throws {
        let database = try TemporaryDatabase()
        try makeSecondVersion(database)
        let store = try open(database.path)
        _ = try await store.put(Samples.salon(), if: .absent)
        defer { store.close() }
        let first = 4_000_000_020 / 300
        #expect(
            try database.run(
                """
                SELECT (grain - \(first)) || id || resource
                FROM occupancy JOIN appointments ON number = owner ORDER BY grain, resource
                """
            ) == ["0a1", "1a1", "2a1", "2b2", "3b1", "3c2", "4c1"]
        )
        #expect(
            try database.run(
                """
                SELECT DISTINCT id || ' ' || typeof(resource)
                FROM occupancy JOIN salons ON number = salon
                """
            ) == ["\(Self.salonID) integer"]
        )
        let appointments = try await store.appointments(after: nil, limit: 9)
        #expect(appointments.map(\.id) == ["a", "b", "c", "d", "e", "f"])
        #expect(appointments.allSatisfy { $0.booking.options == BookingOptions() })
        #expect(appointments.allSatisfy { !$0.isStaffAssigned && $0.bufferAfter == 0 })
        // An appointment that shares an interval can still be cancelled, and both are busy.
        let agenda = try await store.agenda(
            of: Samples.salonID(),
            from: Timestamp(secondsSince1970: 4_000_000_000),
            to: Timestamp(secondsSince1970: 4_000_002_000)
        )
        #expect(agenda?.busyIntervals.count == 3)
        var overlapping = Samples.booking()
        overlapping.time.instant = Timestamp(secondsSince1970: 4_000_000_500)
        for id in ["f", "c", "a", "b"] {
            // Until both have been cancelled.
            await #expect(throws: StoreError.self) {
                try await store.book(overlapping, as: nil, minutes: 5)
            }
            _ = try await store.change(id, as: nil) { stored, _ in
                stored.status = .cancelled
                return nil
            }
        }
        #expect(try database.run("SELECT count(*) FROM occupancy") == ["0"])
        try await store.book(overlapping, as: nil, minutes: 5)
    }

    @Test("a migrated database has the same tables as a new one", arguments: [1, 2])
    func schema(version: Int) throws {
        let old = try TemporaryDatabase()
        let new = try TemporaryDatabase()
        try version == 1 ? makeFirstVersion(old) : makeSecondVersion(old)
        for path in [old.path, new.path] { try open(path).close() }
        let query = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
        #expect(try old.run(query) == new.run(query))
        #expect(try old.run("PRAGMA user_version") == ["\(Migration.all.count)"])
        #expect(try old.run("PRAGMA integrity_check") == ["ok"])
    }

    @Test("a booking finds appointments whose grains an earlier version has deleted")
    func deletedGrains() async throws {
        let database = try TemporaryDatabase()
        let connection = try Database(path: database.path, access: .create)
        for migration in Migration.all.prefix(7) {
            try migration.apply(connection, [Samples.salon()])
        }
        // It takes the grains until 2000001900.
        try database.run(
            """
            INSERT INTO appointments (
                salon_id, id, instant, offset_minutes, minutes, status, version, phone
            ) VALUES ('\(Self.salonID)', 'a', 2000000000, 0, 30, 'booked', 1, '1')
            """,
            "PRAGMA user_version = 7"
        )
        let store = try open(database.path)
        defer { store.close() }
        #expect(try database.run("SELECT complete_from * 300 FROM salons") == ["2000001900"])
        var booking = Samples.booking()
        booking.time.instant = Timestamp(secondsSince1970: 2_000_001_899)
        let taken = booking
        await #expect(throws: StoreError.self) {
            try await store.book(taken, as: nil, minutes: 30)
        }
        booking.time.instant = Timestamp(secondsSince1970: 2_000_001_900)
        try await store.book(booking, as: nil, minutes: 30)
    }

    @Test("pending migrations are listed without changing the database")
    func pending() throws {
        let database = try TemporaryDatabase()
        try makeFirstVersion(database)
        let pending = try SQLiteBookingStore.pendingMigrations(of: database.path)
        let later = Array(2...Schema.latest)
        #expect(pending.map(\.number) == later)
        #expect(try database.run("PRAGMA user_version") == ["1"])
        #expect(try SQLiteBookingStore.migrate(database.path).map(\.number) == later)
        #expect(try SQLiteBookingStore.pendingMigrations(of: database.path).isEmpty)
        #expect(try SQLiteBookingStore.migrate(database.path).isEmpty)
    }

    @Test("neither listing nor applying migrations creates a database")
    func missing() throws {
        let database = try TemporaryDatabase()
        #expect(throws: StorageFailure.self) {
            try SQLiteBookingStore.pendingMigrations(of: database.path)
        }
        #expect(throws: StorageFailure.self) { try SQLiteBookingStore.migrate(database.path) }
        #expect(throws: StorageFailure.self) {
            try SQLiteBookingStore.pendingMigrations(of: database.path)
        }
    }

    @Test("a migration that fails changes nothing")
    func failure() throws {
        let database = try TemporaryDatabase()
        try makeFirstVersion(database)
        let before = try database.run("SELECT sql FROM sqlite_schema")
        // The response of a used key must be JSON.
        try database.run("UPDATE idempotency SET response = X'00' WHERE key = 'k'")
        #expect(throws: StorageFailure.self) { try open(database.path) }
        #expect(try database.run("SELECT sql FROM sqlite_schema") == before)
        #expect(try database.run("PRAGMA user_version") == ["1"])
        #expect(try database.run("SELECT count(*) FROM appointments") == ["2"])
    }

    @Test("a database of a newer version is rejected and not changed")
    func newer() throws {
        let database = try TemporaryDatabase()
        try open(database.path).close()
        try database.run("PRAGMA user_version = 99")
        for open in [
            { (path: String) in _ = try SQLiteBookingStore.pendingMigrations(of: path) },
            { (path: String) in try SQLiteBookingStore.migrate(path) },
            { (path: String) in try self.open(path).close() },
        ] {
            let failure = #expect(throws: StorageFailure.self) { try open(database.path) }
            #expect(failure?.kind == .newerSchema)
            #expect(failure?.description.contains("schema version 99") == true)
        }
        #expect(try database.run("PRAGMA user_version") == ["99"])
    }

    @Test("if a newer program changes the tables while a store is open, the store only reads")
    func whileOpen() async throws {
        let database = try TemporaryDatabase()
        let store = try open(database.path)
        defer { store.close() }
        let latest = Migration.all.count
        try database.run("PRAGMA user_version = \(latest + 1)")
        for _ in 0..<2 {
            await #expect {
                try await store.importSalons([Samples.salon()])
            } throws: { error in
                guard case StoreError.unavailable(let failure) = error else { return false }
                return failure.kind == .newerSchema
            }
            await #expect(throws: StoreError.self) { try await store.checkHealth() }
        }
        let id = Samples.salon().id
        #expect(try await store.salon(id) == nil)
        // A failed change leaves no transaction open.
        try database.run("PRAGMA user_version = \(latest)")
        _ = try await store.importSalons([Samples.salon()])
        #expect(try await store.salon(id) != nil)
    }
}
