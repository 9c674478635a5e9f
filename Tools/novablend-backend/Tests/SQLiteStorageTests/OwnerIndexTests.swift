import BookingStorage
import BookingStorageTestSupport
import Domain
import DomainTestSupport
import Testing

@testable import SQLiteStorage

@Suite("The indexes of callers and salons", .timeLimit(.minutes(10)))
struct OwnerIndexTests {
    @Test("finds a customer's appointments, and their changes from any position")
    func changesOfCustomers() async throws {
        let database = try TemporaryDatabase()
        let store = try SQLiteBookingStore(path: database.path, clock: ManualClock())
        defer { store.close() }
        let numbers: [Int64] = [1_000, 1_023, 1_024, 1_025, 4_095, 4_096, 9_999]
        for number in numbers {
            for (prefix, phone) in [("a", "+49 30 1"), ("b", "+49 30 2")] {
                try database.run(
                    """
                    INSERT INTO appointments (
                        number, salon_id, id, instant, offset_minutes, minutes, status, version,
                        phone, change
                    ) VALUES (
                        \(prefix == "a" ? number : number + 10_000), '\(Samples.salonID())',
                        '\(prefix)\(number)', 0, 0, 30, 'booked', 1, '\(phone)',
                        \(prefix == "a" ? number : number + 10_000)
                    )
                    """
                )
            }
        }
        let role = Principal.Role.customer(phone: "49301")
        let found = try await store.appointments(after: nil, limit: 9, visibleTo: role)
        #expect(Set(found.map(\.id)) == Set(numbers.map { "a\($0)" }))
        let latest = try await store.changes(after: nil, limit: 0, visibleTo: role).cursor
        // From an old position and from a recent one.
        for number: Int64 in [0, 1_024, 17_999, 18_000, latest.number] {
            let start = ChangeCursor(epoch: latest.epoch, number: number)
            let page = try await store.changes(after: start, limit: 9, visibleTo: role)
            let expected = numbers.filter { $0 > number }
            #expect(page.changes.map(\.cursor.number) == expected && page.cursor == latest)
        }
        let other = Principal.Role.customer(phone: "49302")
        for number: Int64 in [17_998, 18_000, 19_998] {
            let start = ChangeCursor(epoch: latest.epoch, number: number)
            let page = try await store.changes(after: start, limit: 9, visibleTo: other)
            #expect(page.changes.map(\.cursor.number) == [19_999])
        }
    }

    @Test("finds the changes of a salon in each of their groups, in pages of any size")
    func changesOfSalons() async throws {
        let database = try TemporaryDatabase()
        let store = try SQLiteBookingStore(path: database.path, clock: ManualClock())
        defer { store.close() }
        let salons = [SalonID(high: 1, low: 1), SalonID(high: 1, low: 2)]
        let numbers: [Int64] = [1, 1_023, 1_024, 1_025, 4_095, 4_096, 9_999]
        try database.run(
            """
            WITH RECURSIVE changes (number) AS (
                SELECT 1 UNION ALL SELECT number + 1 FROM changes WHERE number < 10000
            )
            INSERT INTO appointments (
                salon_id, id, instant, offset_minutes, minutes, status, version, phone, change
            ) SELECT
                iif(number IN (\(numbers.map(String.init).joined(separator: ", "))),
                    '\(salons[0])', '\(salons[1])'),
                'a' || number, 0, 0, 30, 'booked', 1, '1', number
            FROM changes
            """
        )
        let latest = try await store.changes(after: nil, limit: 0).cursor
        for start in [0] + numbers + [10_000] {
            for limit in [1, 3, 9] {
                var cursor = ChangeCursor(epoch: latest.epoch, number: start)
                var found: [Int64] = []
                while cursor != latest {
                    let page = try await store.changes(
                        after: cursor,
                        limit: limit,
                        visibleTo: .staff(of: salons[0])
                    )
                    found += page.changes.map(\.cursor.number)
                    cursor = page.cursor
                }
                #expect(found == numbers.filter { $0 > start })
            }
        }
    }
}
