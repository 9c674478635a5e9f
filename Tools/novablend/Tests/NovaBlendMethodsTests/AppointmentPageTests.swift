import Domain
import JSON
import JSONRPC
import Testing

@testable import NovaBlendMethods

@Suite("Pages of appointments")
struct AppointmentPageTests {
    private func appointment(
        _ hour: Int,
        salon: UInt64 = 1,
        id: String? = "x",
        phone: String = "12345"
    ) -> Appointment {
        let time = Timestamp(secondsSince1970: Int64(hour) * 3_600)
        return Appointment(
            booking: BookingRequest(
                salonID: SalonID(high: 0, low: salon),
                time: AppointmentTime(instant: time),
                phone: phone
            ),
            id: id
        )
    }

    private func page(
        _ list: [Appointment],
        limit: Int? = 2,
        after cursor: String? = nil
    ) throws -> PageSlice<Appointment> {
        try AppointmentPage(limit: limit, cursor: cursor).page(of: list)
    }

    /// The appointments of all pages. After the first page, `change` is applied to the list.
    private func allPages(
        _ list: [Appointment],
        limit: Int = 2,
        change: ([Appointment]) -> [Appointment] = { $0 }
    ) throws -> [Appointment] {
        let first = try page(list, limit: limit)
        let changed = change(list)
        var (all, cursor) = (Array(first.elements), first.nextCursor)
        while let next = cursor {
            // Pages that make no progress would never end.
            try #require(all.count < 100)
            let page = try page(changed, limit: limit, after: next)
            #expect(page.elements.count <= limit)
            all += page.elements
            cursor = page.nextCursor
        }
        return all
    }

    @Test("appointments are ordered by time, salon, and id, regardless of the server's order")
    func order() throws {
        let sorted = [
            appointment(1, salon: 2), appointment(2, salon: 1, id: nil),
            appointment(2, salon: 1, id: "a"), appointment(2, salon: 1, id: "b"),
            appointment(2, salon: 2, id: "a"), appointment(3, salon: 1),
        ]
        #expect(try allPages(sorted.reversed()) == sorted)
        let whole = try page(sorted.reversed(), limit: nil)
        #expect(Array(whole.elements) == sorted)
        #expect(whole.total == 6 && whole.nextCursor == nil)
    }

    @Test("bookings and cancellations between pages neither repeat nor skip other appointments")
    func changes() throws {
        let list = (1...6).map { appointment($0 * 2) }
        for removed in list.indices {
            let listed = try allPages(list) { $0.filter { $0 != list[removed] } }
            #expect(
                listed == (removed < 2 ? list : list.filter { $0 != list[removed] }),
                "\(removed)"
            )
        }
        for hour in stride(from: 1, through: 13, by: 2) {
            let new = appointment(hour)
            let listed = try allPages(list) { [new] + $0 }
            #expect(listed.filter { $0 != new } == list)
            #expect(listed.contains(new) == (hour > 4))
        }
        #expect(try allPages(list) { _ in [] } == Array(list.prefix(2)))
    }

    @Test("appointments without ids, at the same salon and time, are each listed once")
    func withoutIDs() throws {
        let list = (0..<5).map { appointment(1, id: nil, phone: "1234\($0)") } + [appointment(2)]
        for limit in 1...6 {
            #expect(try allPages(list, limit: limit) == list)
        }
        let cursor = try #require(try page(list, limit: 3).nextCursor)
        let rest = try page([list[5]], limit: 3, after: cursor)
        #expect(Array(rest.elements) == [list[5]])
    }

    @Test("an invalid cursor is rejected")
    func invalid() throws {
        let other = try #require(
            try CursorPage(limit: 1, cursor: nil).page(of: ["a", "b"]) { $0 }.nextCursor
        )
        for text in ["", "x", "0", other, Base64.encodeURL(Array("[1,2,3,4]".utf8))] {
            let error = #expect(throws: RPCError.self) { try page([], after: text) }
            #expect(error?.code == -32_602, "\(text)")
        }
        for (time, count) in [(Int64.min, Int.min), (.max, .max), (0, -1)] {
            let cursor = Cursor { writer in
                writer.integer(time)
                writer.string("s")
                writer.string("")
                writer.integer(count)
            }
            #expect(try page([appointment(1)], after: cursor.text).total == 1)
        }
    }

    @Test("a filter selects by salon, status, and a time range with an exclusive end")
    func filter() async {
        var cancelled = appointment(3)
        cancelled.status = .cancelled
        let list = [appointment(1), appointment(2, salon: 2), cancelled, appointment(4)]
        func hours(_ set: (inout AppointmentFilter) -> Void) async -> [Int64] {
            var filter = AppointmentFilter()
            set(&filter)
            return await filter.filter(list) { _ in [:] }
                .map { $0.booking.time.instant.secondsSince1970 / 3_600 }
        }
        #expect(await hours { _ in } == [1, 2, 4])
        #expect(await hours { $0.status = nil } == [1, 2, 3, 4])
        #expect(await hours { $0.status = .cancelled } == [3])
        #expect(await hours { $0.salonID = SalonID(high: 0, low: 2) } == [2])
        #expect(await hours { $0.salonIDs = [SalonID(high: 0, low: 2)] } == [2])
        #expect(await hours { $0.salonIDs = [] } == [])
        #expect(await hours { $0.start = .time(.instant(list[1].booking.time.instant)) } == [2, 4])
        #expect(await hours { $0.end = .time(.instant(list[3].booking.time.instant)) } == [1, 2])
    }

    @Test("a filter compares a local time with the clock of each salon")
    func localFilter() async {
        // All begin at 02:00: in UTC, on a clock five hours behind, and at an offset of two hours.
        let behind = SalonID(high: 0, low: 2)
        var own = appointment(1, salon: 3)
        own.booking.time = AppointmentTime(
            instant: Timestamp(secondsSince1970: 0),
            offsetMinutes: 120
        )
        let list = [appointment(2), appointment(7, salon: 2), own]
        func count(_ set: (inout AppointmentFilter) -> Void) async -> Int {
            var filter = AppointmentFilter()
            set(&filter)
            return await filter.filter(list) { _ in [behind: .offset(minutes: -300)] }.count
        }
        let two = LocalTime(localSeconds: 7_200)
        let later = LocalTime(localSeconds: 7_201)
        #expect(await count { $0.start = .time(.local(two)) } == 3)
        #expect(await count { $0.start = .time(.local(later)) } == 0)
        #expect(await count { $0.end = .time(.local(two)) } == 0)
        #expect(await count { $0.end = .time(.local(later)) } == 3)
        #expect(await count { $0.start = .time(.instant(Timestamp(secondsSince1970: 7_200))) } == 2)
    }
}
