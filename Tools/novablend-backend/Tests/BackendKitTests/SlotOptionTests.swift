import BackendKit
import BookingStorage
import BookingStorageTestSupport
import Contract
import Domain
import SQLiteStorage
import Testing

@Suite("Slots for a service, a staff member, or seats", .timeLimit(.minutes(10)))
struct SlotOptionTests {
    private let server: AlwaysOpenBackend

    init() throws { server = try StaffFixture.makeBackend() }

    private func slots(_ query: String = "") throws -> [Slot] {
        try server.slots(from: try AlwaysOpenBackend.time(540), minutes: 180, query)
    }

    @Test("state how many staff members are free who offer the service, including its buffers")
    func service() throws {
        let start = try AlwaysOpenBackend.time(600)
        _ = try server.book(start, BookingOptions(serviceID: "color"))
        #expect(try slots("&serviceId=cut").map(\.free) == [2, 1, 1, 1, 1, 2])
        let color = try slots("&serviceId=color")
        #expect(color.map(\.free) == [0, 0, 0, 0, 0, 1])
        #expect(color.map(\.isAvailable) == [false, false, false, false, false, true])
        #expect(Set(color.map(\.minutes)) == [60])
    }

    @Test("are those of the present version of a salon, whichever process has changed it")
    func changedSalon() async throws {
        let database = try TemporaryDatabase()
        let server = try AlwaysOpenBackend(database: database.path)
        defer { server.backend.stop() }
        let store = try SQLiteBookingStore(path: database.path, clock: SystemClock())
        defer { store.close() }
        let time = try AlwaysOpenBackend.time(540)
        func version() throws -> Int? {
            let page = try #require(server.availability(from: time, minutes: 60))
            return try SlotListCodec.decode(Array(page.body.utf8)).salonVersion
        }
        #expect(try server.slots(from: time, minutes: 60).count == 2)
        #expect(try version() == 1)
        let day = Service(
            id: "day",
            name: "n",
            minutes: 30,
            bufferBefore: 1_440,
            bufferAfter: 1_440
        )
        _ = try await store.importSalons([AlwaysOpenBackend.salon { $0.services = [day] }])
        let options = BookingOptions(serviceID: "day")
        let booked = try server.book(time.advanced(byMinutes: 1_440), options)
        let slots = try server.slots(from: time, minutes: 60, "&serviceId=day")
        #expect(slots.map(\.isAvailable) == [false, false])
        _ = try await store.importSalons([AlwaysOpenBackend.salon(minutes: 10)])
        #expect(try server.slots(from: time, minutes: 60).count == 6)
        #expect(try version() == 3)
        #expect(server.availability(from: time, minutes: 60, "&serviceId=day")?.status == 422)
        #expect(server.delete(booked.id)?.status == 200)
        try await store.deleteSalon(AlwaysOpenBackend.id, if: .present, by: .local)
        #expect(server.availability(from: time, minutes: 60)?.status == 404)
    }

    @Test("of a staff member are those that the staff member can take")
    func staff() throws {
        let start = try AlwaysOpenBackend.time(600)
        _ = try server.book(start, BookingOptions(serviceID: "cut", staffID: "ben"))
        #expect(
            try slots("&staffId=ben").map(\.isAvailable) == [true, true, false, true, true, true]
        )
        #expect(try slots("&staffId=ana").allSatisfy(\.isAvailable))
    }

    @Test("are available only if enough seats are free")
    func seats() throws {
        let server = try AlwaysOpenBackend { $0.seats = 3 }
        defer { server.backend.stop() }
        let start = try AlwaysOpenBackend.time(600)
        _ = try server.book(start, BookingOptions(seats: 2))
        for (seats, isAvailable) in [(1, true), (2, false)] {
            let slots = try server.slots(from: start, minutes: 60, "&seats=\(seats)")
            #expect(slots.map(\.isAvailable) == [isAvailable, true])
            #expect(slots.map(\.free) == [1, 3])
        }
        #expect(server.availability(from: start, minutes: 60, "&seats=4")?.status == 422)
        let explained = try server.slots(from: start, minutes: 60, "&explain=true")
        #expect(explained.count == 2 && explained.allSatisfy { $0.staff == nil })
    }

    @Test("with explain state who is free and what prevents the others, and otherwise do not")
    func explain() throws {
        let start = try AlwaysOpenBackend.time(600)
        _ = try server.book(start, BookingOptions(serviceID: "cut", staffID: "ben"))
        let slot = try #require(try slots("&serviceId=cut&explain=true").dropFirst(2).first)
        #expect(slot.staff == [.init(staffID: "ana"), .init(staffID: "ben", rule: "taken")])
        for query in ["&serviceId=cut", "&serviceId=cut&explain=false"] {
            #expect(try slots(query).allSatisfy { $0.staff == nil })
        }
    }

    @Test("can all be booked, also those whose buffers reach into other days")
    func bookable() throws {
        let server = try StaffFixture.makeBackend {
            $0.services[1].bufferBefore = 1_440
            $0.services[1].bufferAfter = 1_440
        }
        defer { server.backend.stop() }
        let day = try AlwaysOpenBackend.time(5 * 1_440)
        _ = try server.book(day, BookingOptions(serviceID: "cut", staffID: "ana"))
        let range = (try AlwaysOpenBackend.time(3 * 1_440), 4 * 1_440)
        let slots = try server.slots(from: range.0, minutes: range.1, "&serviceId=color")
        // A slot of 60 minutes and its buffers overlap the booking of 30 minutes.
        let blocked = day.advanced(byMinutes: -1_440 - 30)...day.advanced(byMinutes: 1_440)
        #expect(
            slots.filter { !$0.isAvailable }.map(\.start)
                == slots.map(\.start).filter(blocked.contains)
        )
    }

    private func list(_ start: AppointmentTime, _ query: String) throws -> SlotList {
        let response = try #require(server.availability(from: start, minutes: 30, query))
        return try SlotListCodec.decode(Array(response.body.utf8))
    }

    @Test("with explain state the buffers that prevent the first one, if nothing else does")
    func buffers() throws {
        let start = try AlwaysOpenBackend.time(600)
        // It takes the time from 590 to 680.
        _ = try server.book(start, BookingOptions(serviceID: "color"))
        let late = try AlwaysOpenBackend.time(660)
        let options = "&serviceId=cut&staffId=ana&explain=true"
        let expected = BufferConflict(
            staffID: "ana",
            start: start,
            end: late,
            bookedMinutes: 20,
            requestedMinutes: 0
        )
        #expect(try list(late, options).buffers == [expected])
        // Ben is free, but Ana is not.
        #expect(try list(late, "&serviceId=cut&explain=true").buffers == [expected])
        for (minutes, query) in [
            (600, options), (690, options), (660, "&serviceId=cut&staffId=ana"),
        ] {
            let found = try list(try AlwaysOpenBackend.time(minutes), query)
            #expect(found.buffers == [], "\(minutes)\(query)")
        }
    }

    @Test("with assign state whom the next booking gets, and whom a moved appointment keeps")
    func assign() throws {
        let start = try AlwaysOpenBackend.time(600)
        let cut = BookingOptions(serviceID: "cut")
        for minutes in [600, 630, 720, 720] {
            let time = try AlwaysOpenBackend.time(minutes)
            let assigned = try #require(
                try list(time, "&serviceId=cut&assign=true").assignedStaffID
            )
            #expect(try server.book(time, cut).booking.options.staffID == assigned)
        }
        let taken = try AlwaysOpenBackend.time(720)
        #expect(try list(taken, "&serviceId=cut&assign=true").assignedStaffID == nil)
        #expect(try list(start, "&serviceId=cut&staffId=ana&assign=true").assignedStaffID == nil)
        #expect(try list(start, "&serviceId=cut").assignedStaffID == nil)
        let ana = BookingOptions(serviceID: "cut", staffID: "ana")
        for minutes in [900, 930, 960] { _ = try server.book(AlwaysOpenBackend.time(minutes), ana) }
        let moved = try server.book(try AlwaysOpenBackend.time(1_020), ana)
        let query = "&serviceId=cut&assign=true&appointmentId=\(moved.id ?? "")"
        #expect(try list(try AlwaysOpenBackend.time(1_080), query).assignedStaffID == "ana")
        #expect(server.availability(from: start, minutes: 30, "&assign=maybe")?.status == 422)
    }
}
