import BackendKit
import Contract
import Domain
import Testing

@Suite("Booking a service, a staff member, or seats", .timeLimit(.minutes(10)))
struct ServiceBookingTests {
    private let server: AlwaysOpenBackend

    init() throws { server = try StaffFixture.makeBackend() }

    private func time(_ minutes: Int) throws -> AppointmentTime {
        try AlwaysOpenBackend.time(minutes)
    }

    @Test("the response names the end and the staff member, and whether the customer chose them")
    func response() throws {
        let start = try time(600)
        // Only Ana offers it.
        let assigned = try server.book(start, BookingOptions(serviceID: "color"))
        #expect(assigned.booking.options == BookingOptions(serviceID: "color", staffID: "ana"))
        #expect(assigned.isStaffAssigned && assigned.endTime == start.advanced(byMinutes: 60))
        let options = BookingOptions(serviceID: "cut", staffID: "ben")
        let chosen = try server.book(start, options)
        #expect(chosen.booking.options == options && !chosen.isStaffAssigned)
        #expect(chosen.endTime == start.advanced(byMinutes: 30))
        #expect(try #require(server.get(chosen.id)).appointment() == chosen)
        #expect(try Set(server.appointments()) == [assigned, chosen])
    }

    @Test("an appointment without a service lasts slot_minutes, and any staff member can have it")
    func noService() throws {
        let start = try time(600)
        let names = try (0..<2).map { _ in
            let booked = try server.book(start)
            #expect(booked.endTime == start.advanced(byMinutes: 30))
            return booked.booking.options.staffID
        }
        #expect(Set(names) == ["ana", "ben"])
        #expect(server.post(start)?.status == 409)
    }

    @Test("customers who choose no one get the staff member with the least work on that day")
    func leastWork() throws {
        let cut = BookingOptions(serviceID: "cut")
        _ = try server.book(try time(600), BookingOptions(serviceID: "color"))
        // That booking was assigned to Ana and takes 90 minutes with its buffers. So the next three
        // bookings, of half an hour each, go to Ben.
        let names = try [900, 930, 960].map {
            try server.book(try time($0), cut).booking.options.staffID
        }
        #expect(names == ["ben", "ben", "ben"])
        let ben = BookingOptions(serviceID: "cut", staffID: "ben")
        _ = try server.book(try time(1_020), ben)
        #expect(try server.book(try time(1_080), cut).booking.options.staffID == "ana")
    }

    @Test("of equally busy staff members, the one with the least work of the week is assigned")
    func leastWorkOfWeek() throws {
        let cut = BookingOptions(serviceID: "cut")
        // The days of the week of the day after tomorrow, except for that day.
        let day = try time(1_440).localTime.date
        let others = (0..<7).map { day.advanced(byDays: $0 - day.weekday.daysSinceMonday) }
        let free = others.first { $0 > day } ?? others.first { $0 == day.advanced(byDays: -1) }
        let other = try #require(free)
        let minutes = (other.daysSince1970 - day.daysSince1970 + 1) * 1_440 + 600
        for (busy, rested) in [("ana", "ben"), ("ben", "ana")] {
            let length = busy == "ana" ? 1 : 2
            for index in 0..<length {
                let start = try time(minutes + (busy == "ana" ? 0 : 300) + index * 30)
                _ = try server.book(start, BookingOptions(serviceID: "cut", staffID: busy))
            }
            let start = try time(1_440 + (busy == "ana" ? 600 : 900))
            let booked = try server.book(start, cut)
            #expect(booked.booking.options.staffID == rested)
            #expect(server.delete(booked.id)?.status == 200)
        }
    }

    @Test("of staff members with equal work, a hash of the date, the person, and the salon decides")
    func tie() throws {
        // The least 64-bit FNV-1a hashes of texts such as
        // `2030-01-07 ana 00000000-0000-0001-0000-000000000001`, computed by a different program.
        for (day, chosen) in [("07", "ana"), ("08", "ana"), ("09", "ben"), ("10", "ana")] {
            let start = try #require(ISO8601.parse("2030-01-\(day)T10:00:00Z"))
            let cut = BookingOptions(serviceID: "cut")
            let booked = try server.book(start, cut)
            #expect(booked.booking.options.staffID == chosen, "\(day)")
            #expect(booked.isStaffAssigned)
            #expect(server.delete(booked.id)?.status == 200)
        }
    }

    @Test("the buffers of a service are taken, and other staff members are not affected by them")
    func buffers() throws {
        _ = try server.book(try time(600), BookingOptions(serviceID: "color"))
        let ana = BookingOptions(serviceID: "cut", staffID: "ana")
        // Ana is taken from 590 to 680.
        for (start, status) in [(570, 409), (600, 409), (660, 409), (540, 201), (690, 201)] {
            #expect(server.post(try time(start), ana)?.status == status, "\(start)")
        }
        let ben = BookingOptions(serviceID: "cut", staffID: "ben")
        for start in [570, 600, 660] {
            #expect(server.post(try time(start), ben)?.status == 201, "\(start)")
        }
    }

    @Test("a salon with seats takes as many appointments at a time, and a booking can take several")
    func seats() throws {
        let server = try AlwaysOpenBackend { $0.seats = 3 }
        defer { server.backend.stop() }
        let start = try time(600)
        let two = try server.book(start, BookingOptions(seats: 2))
        #expect(two.booking.options == BookingOptions(seats: 2) && !two.isStaffAssigned)
        #expect(server.post(start, BookingOptions(seats: 2))?.status == 409)
        #expect(try server.slots(from: start, minutes: 30).map(\.free) == [1])
        _ = try server.book(start)
        #expect(server.post(start)?.status == 409)
        #expect(server.delete(two.id)?.status == 200)
        #expect(server.post(start, BookingOptions(seats: 2))?.status == 201)
        #expect(try server.slots(from: start, minutes: 30).map(\.isAvailable) == [false])
    }

    @Test("alternatives to a taken time are free for the same service, staff member, and seats")
    func alternatives() throws {
        let ana = BookingOptions(serviceID: "color", staffID: "ana")
        _ = try server.book(try time(600), ana)
        let rejected = try #require(server.post(try time(600), ana))
        #expect(rejected.status == 409)
        let times = try rejected.errorBody().alternatives
        // Ana is taken until 680, and the next appointment has a buffer of 10 minutes before it.
        #expect(times == (try [690, 720, 750].map { try time($0) }))
        #expect(server.post(try #require(times.first), ana)?.status == 201)
    }

    @Test("a service must end before the salon closes and while the staff member works")
    func hours() throws {
        let server = try StaffFixture.makeBackend {
            $0.hours = OpeningHours(
                opens: TimeOfDay(minuteOfDay: 540),
                closes: TimeOfDay(minuteOfDay: 1_080)
            )
            let morning = OpeningHours(
                opens: TimeOfDay(minuteOfDay: 540),
                closes: TimeOfDay(minuteOfDay: 720)
            )
            let days = Weekday.allCases.map { ($0, [morning]) }
            $0.staff[1].weekly = WeeklyHours(Dictionary(uniqueKeysWithValues: days))
        }
        defer { server.backend.stop() }
        let cases: [(Int, BookingOptions, String?)] = [
            (1_050, BookingOptions(serviceID: "color"), "endsAfterHours"),
            (1_020, BookingOptions(serviceID: "color"), nil),
            (720, BookingOptions(serviceID: "cut", staffID: "ben"), "notWorking"),
            (690, BookingOptions(serviceID: "cut", staffID: "ben"), nil),
        ]
        for (start, options, rule) in cases {
            let response = try #require(server.post(try time(start), options))
            #expect(response.status == (rule == nil ? 201 : 422), "\(response)")
            if rule != nil { #expect(try response.errorBody().rule == rule) }
        }
    }
}
