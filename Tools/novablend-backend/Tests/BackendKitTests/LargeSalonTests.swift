import BackendKit
import Contract
import Domain
import Testing

@Suite("A salon that is as large as possible", .timeLimit(.minutes(5)))
struct LargeSalonTests {
    private static func staff(_ count: Int) -> [StaffMember] {
        (0..<count).map { StaffMember(id: "member-\($0)", name: "n") }
    }

    /// The pages of the availability of days that begin tomorrow.
    private func pages(
        _ server: AlwaysOpenBackend,
        days: Int,
        _ query: String = ""
    ) throws -> [Response] {
        let first = try #require(
            server.availability(from: AlwaysOpenBackend.time(0), minutes: days * 1_440, query)
        )
        return try server.pages(after: first)
    }

    private func slots(_ pages: [Response]) throws -> [Slot] {
        try pages.flatMap { page in
            #expect(page.status == 200)
            return try SlotListCodec.decode(Array(page.body.utf8)).slots
        }
    }

    @Test("can have as many seats as one booking can take")
    func seats() throws {
        let server = try AlwaysOpenBackend(minutes: 45)
        defer { server.backend.stop() }
        #expect(server.put(AlwaysOpenBackend.salon(minutes: 45) { $0.seats = 200 })?.status == 200)
        let response = try #require(
            server.put(AlwaysOpenBackend.salon(minutes: 45) { $0.seats = 201 })
        )
        #expect(try response.status == 422 && response.errorBody().name == "invalidSalon")
        #expect(try response.message().hasPrefix("seats must be at most 200, because"))
        let booked = try server.book(try AlwaysOpenBackend.time(45), BookingOptions(seats: 200))
        #expect(booked.booking.options.seats == 200)
    }

    @Test("and was stored before it was limited can book as many seats as one booking can take")
    func storedSeats() throws {
        let server = try AlwaysOpenBackend {
            $0.seats = 1_000
            $0.services = [
                Service(
                    id: "day",
                    name: "Day",
                    minutes: 1_440,
                    bufferBefore: 1_440,
                    bufferAfter: 1_440
                )
            ]
        }
        defer { server.backend.stop() }
        let time = try AlwaysOpenBackend.time(5 * 1_440)
        let three = BookingOptions(serviceID: "day", seats: 3)
        let responses = [
            server.post(time, three), server.hold(time, three),
            server.availability(from: time, minutes: 60, "&serviceId=day&seats=3"),
        ]
        for response in responses {
            #expect(response?.status == 422)
            let message = try response?.message()
            #expect(message == "seats must be at most 2 for 4320 minutes, buffers included")
        }
        _ = try server.book(time, BookingOptions(serviceID: "day", seats: 2))
    }

    @Test(
        "has availability in pages of about 512 KiB, which together have every slot",
        arguments: [false, true]
    )
    func pages(isExplained: Bool) throws {
        let server = try AlwaysOpenBackend(minutes: 5) { $0.staff = Self.staff(150) }
        defer { server.backend.stop() }
        let options = BookingOptions(staffID: "member-7")
        let booked = try server.book(try AlwaysOpenBackend.time(1_435), options)
        let pages = try pages(server, days: 3, "&explain=\(isExplained)")
        #expect(pages.allSatisfy { $0.body.utf8.count <= 520 << 10 })
        #expect(pages.count == (isExplained ? 14 : 1))
        let slots = try slots(pages)
        let start = try AlwaysOpenBackend.time(0)
        #expect(slots.map(\.start) == (0..<864).map { start.advanced(byMinutes: $0 * 5) })
        for (index, slot) in slots.enumerated() {
            #expect(slot.free == (index == 287 ? 149 : 150))
            #expect(slot.staff?.count == (isExplained ? 150 : nil))
        }
        #expect(booked.booking.time == slots[287].start)
    }

    @Test("can be asked by anyone for every slot of a month without a large answer")
    func month() throws {
        let server = try AlwaysOpenBackend(minutes: 5) { $0.staff = Self.staff(1_500) }
        defer { server.backend.stop() }
        let start = try AlwaysOpenBackend.time(0)
        for (query, count) in [("&explain=true", 5), ("", 666)] {
            let page = try #require(
                server.availability(from: start, minutes: 31 * 1_440, query)
            )
            #expect(page.status == 200 && page.body.utf8.count <= 520 << 10)
            let slots = try slots([page])
            #expect(slots.count >= count && slots.count <= 2 * count)
            #expect(page.header("link") != nil)
        }
    }

    @Test("has pages that retain what the client asked for")
    func options() throws {
        let server = try AlwaysOpenBackend(minutes: 5) {
            $0.services = [Service(id: "a+b&c=%", name: "n", minutes: 10)]
            $0.staff = Self.staff(2_000)
        }
        defer { server.backend.stop() }
        let time = try AlwaysOpenBackend.time(0)
        let first = try #require(
            server.availability(
                from: AppointmentTime(instant: time.instant, offsetMinutes: 330),
                minutes: 360,
                "&serviceId=a%2Bb%26c%3D%25&explain=true&fresh=1"
            )
        )
        let query = try #require(try first.nextQuery())
        #expect(query.contains("&serviceId=a%2Bb%26c%3D%25&explain=true"))
        #expect(query.hasPrefix("start=") && query.contains("%2B0530&end="))
        let slots = try slots(try server.pages(after: first))
        #expect(slots.count == 72 && Set(slots.map(\.minutes)) == [10])
        #expect(slots.allSatisfy { $0.staff?.count == 2_000 && $0.start.offsetMinutes == 330 })
        let chosen = try pages(server, days: 17, "&staffId=member-1")
        #expect(
            chosen.count == 2 && chosen[0].header("link")?.contains("&staffId=member-1") == true
        )
        #expect(try self.slots(chosen).count == 17 * 288)
    }
}
