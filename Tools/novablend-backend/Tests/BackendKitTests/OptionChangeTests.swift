import BackendKit
import Domain
import Testing

@Suite("Changing the service, the staff member, or the seats", .timeLimit(.minutes(10)))
struct OptionChangeTests {
    private let server: AlwaysOpenBackend
    private static let cut = BookingOptions(serviceID: "cut")

    init() throws { server = try StaffFixture.makeBackend() }

    private func time(_ minutes: Int) throws -> AppointmentTime {
        try AlwaysOpenBackend.time(minutes)
    }

    /// Changes an appointment. `more` follows the time in the body.
    private func patch(_ id: String?, to minutes: Int, _ more: String = "") throws -> Response {
        let body = AlwaysOpenBackend.change(to: try time(minutes)).dropLast() + more + "}"
        return try #require(server.send("PATCH", id, "*", nil, String(body)))
    }

    @Test("a move keeps the service and a staff member whom the customer chose")
    func chosen() throws {
        let options = BookingOptions(serviceID: "cut", staffID: "ben")
        let booked = try server.book(try time(600), options)
        let moved = try patch(booked.id, to: 660).appointment()
        #expect(moved.booking.options == options && !moved.isStaffAssigned)
        #expect(moved.endTime == (try time(690)))
        _ = try server.book(try time(720), options)
        let taken = try patch(booked.id, to: 720)
        #expect(taken.status == 409)
        #expect(try taken.errorBody().alternatives.first == (try time(750)))
        #expect(try #require(server.get(booked.id)).appointment() == moved)
    }

    @Test(
        "a move keeps an assigned staff member who is free, and otherwise assigns a different one"
    )
    func assigned() throws {
        let ben = BookingOptions(serviceID: "cut", staffID: "ben")
        _ = try server.book(try time(540), ben)
        let booked = try server.book(try time(600), Self.cut)
        #expect(booked.booking.options.staffID == "ana")
        // Ana has more work than Ben on that day, and keeps the appointment anyway.
        let ana = BookingOptions(serviceID: "cut", staffID: "ana")
        for start in [720, 750] { _ = try server.book(try time(start), ana) }
        let kept = try patch(booked.id, to: 630).appointment()
        #expect(kept.booking.options.staffID == "ana" && kept.isStaffAssigned)
        let replaced = try patch(booked.id, to: 720).appointment()
        #expect(replaced.booking.options.staffID == "ben" && replaced.isStaffAssigned)
        // The time that Ana had is free again.
        #expect(server.post(try time(630), ana)?.status == 201)
    }

    @Test("a change can name a staff member, or leave the choice to the backend")
    func staff() throws {
        let booked = try server.book(try time(600), Self.cut)
        let ben = try patch(booked.id, to: 600, #","staffId":"ben""#).appointment()
        #expect(ben.booking.options.staffID == "ben" && !ben.isStaffAssigned)
        let anyone = try patch(booked.id, to: 600, #","staffId":null"#).appointment()
        #expect(anyone.booking.options.staffID == "ben" && anyone.isStaffAssigned)
        _ = try server.book(try time(660), BookingOptions(serviceID: "cut", staffID: "ben"))
        let ana = try patch(booked.id, to: 660).appointment()
        #expect(ana.booking.options.staffID == "ana" && ana.isStaffAssigned)
    }

    @Test("a change of the service changes the end and the buffers")
    func service() throws {
        let booked = try server.book(try time(600), Self.cut)
        let longer = try patch(booked.id, to: 600, #","serviceId":"color""#).appointment()
        #expect(longer.booking.options == BookingOptions(serviceID: "color", staffID: "ana"))
        #expect(longer.endTime == (try time(660)))
        let ana = BookingOptions(serviceID: "cut", staffID: "ana")
        #expect(server.post(try time(660), ana)?.status == 409)
        let shorter = try patch(booked.id, to: 600, #","serviceId":"cut""#).appointment()
        #expect(shorter.endTime == (try time(630)))
        #expect(server.post(try time(660), ana)?.status == 201)
    }

    @Test("a change of the seats takes or frees seats")
    func seats() throws {
        let server = try AlwaysOpenBackend { $0.seats = 3 }
        defer { server.backend.stop() }
        let start = try time(600)
        let booked = try server.book(start)
        _ = try server.book(start)
        for (seats, status, free) in [(3, 409, 1), (2, 200, 0), (1, 200, 1)] {
            let body = AlwaysOpenBackend.change(to: start).dropLast() + #","seats":\#(seats)}"#
            let response = server.send("PATCH", booked.id, "*", nil, String(body))
            #expect(response?.status == status)
            #expect(try server.slots(from: start, minutes: 30).map(\.free) == [free])
        }
    }

    @Test(
        "an appointment keeps its time, length, and staff member when the salon's services change"
    )
    func unchanged() throws {
        let booked = try server.book(try time(600), BookingOptions(serviceID: "color"))
        try removeColor()
        let same = try patch(booked.id, to: 600).appointment()
        #expect(same.booking.options == booked.booking.options && same.endTime == booked.endTime)
        #expect(same.bookedService == StaffFixture.color)
    }

    /// Removes the service that takes an hour, and the only person who offered it.
    private func removeColor() throws {
        let salon = AlwaysOpenBackend.salon {
            $0.services = [StaffFixture.cut]
            $0.staff = [StaffFixture.staff[1]]
        }
        #expect(server.put(salon)?.status == 200)
    }

    @Test("an appointment whose service was removed moves with its length, buffers, and price")
    func removedService() throws {
        let booked = try server.book(try time(600), BookingOptions(serviceID: "color"))
        #expect(booked.bookedService == StaffFixture.color)
        try removeColor()
        let query = "&serviceId=color&appointmentId=\(try #require(booked.id))"
        let slots = try server.slots(from: try time(540), minutes: 240, query)
        #expect(slots.count == 8 && slots.allSatisfy { $0.isAvailable && $0.minutes == 60 })
        let moved = try patch(booked.id, to: 660).appointment()
        #expect(moved.booking.options == BookingOptions(serviceID: "color", staffID: "ben"))
        #expect(moved.endTime == (try time(720)))
        #expect(moved.bookedService == StaffFixture.color)
        #expect(try #require(server.get(booked.id)).appointment() == moved)
        // It takes the time from 10 minutes before its start to 20 minutes after its end.
        let ben = BookingOptions(serviceID: "cut", staffID: "ben")
        for (start, status) in [(630, 409), (720, 409), (600, 201), (750, 201)] {
            #expect(server.post(try time(start), ben)?.status == status, "\(start)")
        }
        let taken = try patch(booked.id, to: 570)
        #expect(taken.status == 409)
        #expect(try taken.errorBody().alternatives.first == (try time(660)))
    }

    @Test("a removed service cannot be booked, nor can a different appointment move to it")
    func unknownService() throws {
        let booked = try server.book(try time(600), BookingOptions(serviceID: "color"))
        let cut = try server.book(try time(900), Self.cut)
        try removeColor()
        let color = BookingOptions(serviceID: "color")
        #expect(server.post(try time(660), color)?.status == 422)
        #expect(try patch(cut.id, to: 900, #","serviceId":"color""#).status == 422)
        let range = (try time(540), 60)
        for query in ["&serviceId=color", "&serviceId=color&appointmentId=\(cut.id ?? "")"] {
            #expect(server.availability(from: range.0, minutes: range.1, query)?.status == 422)
        }
        let changed = try patch(booked.id, to: 660, #","serviceId":"cut""#).appointment()
        #expect(changed.bookedService == StaffFixture.cut)
        #expect(try patch(booked.id, to: 720, #","serviceId":"color""#).status == 422)
    }

    @Test("a move keeps a service that is still offered as it is now, at its present price")
    func changedService() throws {
        let booked = try server.book(try time(600), BookingOptions(serviceID: "color"))
        var color = StaffFixture.color
        (color.minutes, color.price) = (90, Price(amount: 6_000, currency: "EUR"))
        let salon = AlwaysOpenBackend.salon {
            ($0.services, $0.staff) = ([StaffFixture.cut, color], StaffFixture.staff)
        }
        #expect(server.put(salon)?.status == 200)
        #expect(try #require(server.get(booked.id)).appointment() == booked)
        let moved = try patch(booked.id, to: 660).appointment()
        #expect(moved.bookedService == color)
        #expect(moved.endTime == (try time(750)))
    }

    @Test("the alternatives of a move may overlap the appointment itself")
    func alternatives() throws {
        let ana = BookingOptions(serviceID: "cut", staffID: "ana")
        let booked = try server.book(try time(600), ana)
        _ = try server.book(try time(570), ana)
        let taken = try patch(booked.id, to: 570)
        #expect(taken.status == 409)
        let expected = try [600, 630, 660].map { try time($0) }
        #expect(try taken.errorBody().alternatives == expected)
        // For a different booking, the time is taken.
        let other = try #require(server.post(try time(570), ana))
        #expect(try other.errorBody().alternatives.first == (try time(630)))
    }
}
