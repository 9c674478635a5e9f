import Domain
import DomainTestSupport
import Testing

@Suite("The service, the staff member, and the seats of a booking as evidence")
struct ServiceEvidenceTests {
    private let server = BookingAPIStub()

    /// Books with `options` on a server that echoes `echoed` and lists nothing.
    private func book(
        _ options: BookingOptions,
        echoing echoed: (inout ReportedAppointment) -> Void
    ) async throws -> Appointment {
        var request = Samples.booking()
        request.options = options
        var echo = ReportedAppointment(Appointment(booking: request, id: "a", version: 1))
        echoed(&echo)
        server.answers(.success(echo))
        let useCase = BookAppointment(server: server, journal: InMemoryBookingJournal())
        return try await useCase.book(request).appointment
    }

    private func isInDoubt(
        _ options: BookingOptions,
        echoing echoed: (inout ReportedAppointment) -> Void
    ) async -> Bool {
        do {
            _ = try await book(options, echoing: echoed)
            return false
        } catch Failure.inDoubt { return true } catch { return false }
    }

    private let color = BookingOptions(serviceID: "color", staffID: "ana", seats: 1)

    @Test("fields that are missing from an echo are not differences, and keep what was requested")
    func missing() async throws {
        let booked = try await book(color) { echo in
            (echo.serviceID, echo.staffID, echo.seats) = (nil, nil, nil)
        }
        #expect(booked.booking.options == color)
        #expect(!booked.isStaffAssigned)
    }

    @Test("a staff member that the server chose is not a difference, and is recorded as assigned")
    func assigned() async throws {
        let booked = try await book(BookingOptions(serviceID: "color")) { echo in
            (echo.staffID, echo.isStaffAssigned) = ("ben", nil)
        }
        #expect(booked.booking.options.staffID == "ben")
        #expect(booked.isStaffAssigned)
    }

    @Test("a different service, staff member, or number of seats leaves the booking in doubt")
    func different() async {
        #expect(await isInDoubt(color) { $0.serviceID = "cut" })
        #expect(await isInDoubt(color) { $0.staffID = "ben" })
        #expect(await isInDoubt(BookingOptions(seats: 2)) { $0.seats = 1 })
    }

    @Test("the end that the server reports is part of the appointment")
    func end() async throws {
        let end = Samples.booking().time.advanced(byMinutes: 45)
        #expect(try await book(color) { $0.endTime = end }.endTime == end)
    }

    @Test("a listed appointment with a different service is not the missing booking")
    func lookup() async throws {
        var request = Samples.booking()
        request.options = color
        var other = request
        other.options.serviceID = "cut"
        let intent = BookingIntent(
            key: "k",
            action: .book(request),
            createdAt: ManualClock().now,
            caller: Samples.caller
        )
        let journal = InMemoryBookingJournal([intent])
        let booking = BookAppointment(server: server, journal: journal)
        server.holds(.success([Appointment(booking: other, id: "b", version: 1)]))
        let unresolved = try await ResolveBookings(booking).resolve().first?.outcome
        guard case .inDoubt = unresolved else {
            Issue.record("an appointment with a different service counted as the booking")
            return
        }
        server.holds(.success([Appointment(booking: request, id: "c", version: 1)]))
        let resolved = try await ResolveBookings(booking).resolve().first?.outcome
        #expect(resolved == .done(Appointment(booking: request, id: "c", version: 1)))
    }
}

@Suite("A request with a different service, staff member, or number of seats")
struct DifferentOptionsTests {
    private let server = BookingAPIStub()

    private func useCase(pending options: BookingOptions) -> BookAppointment {
        var request = Samples.booking()
        request.options = options
        let intent = BookingIntent(
            key: "k",
            action: .book(request),
            createdAt: ManualClock().now,
            caller: Samples.caller
        )
        return BookAppointment(server: server, journal: InMemoryBookingJournal([intent]))
    }

    @Test(
        "is a new booking and does not join an open one",
        arguments: [
            BookingOptions(), BookingOptions(serviceID: "cut", staffID: "ana"),
            BookingOptions(serviceID: "color"),
            BookingOptions(serviceID: "color", staffID: "ana", seats: 2),
        ]
    )
    func isNew(options: BookingOptions) async throws {
        var request = Samples.booking()
        request.options = options
        let useCase = useCase(pending: BookingOptions(serviceID: "color", staffID: "ana"))
        #expect(try await useCase.book(request).key == "key-1")
    }

    @Test("with a different hold, the same request joins the open booking")
    func hold() async throws {
        var request = Samples.booking()
        request.options = BookingOptions(serviceID: "color")
        request.holdID = "hold-2"
        let booked = try await useCase(pending: request.options).book(request)
        #expect(booked.key == "k")
    }

    @Test("under a used key is rejected as a different request")
    func key() async {
        var request = Samples.booking()
        request.options = BookingOptions(serviceID: "cut")
        let useCase = useCase(pending: BookingOptions(serviceID: "color"))
        await #expect(throws: Failure.idempotencyConflict(key: "k")) {
            try await useCase.book(request, key: "k")
        }
    }

    @Test(
        "with a hold, the server is not asked whether the time is free, because the hold takes it"
    )
    func ownHold() async throws {
        server.availability(.success(.taken(alternatives: [])))
        let useCase = BookAppointment(server: server, journal: InMemoryBookingJournal())
        var request = Samples.booking()
        request.holdID = "hold-1"
        #expect(try await useCase.book(request).appointment.booking == request)
        await #expect(throws: Failure.slotUnavailable(alternatives: [])) {
            try await useCase.book(Samples.booking(2))
        }
    }
}
