import Domain
import DomainTestSupport
import Testing

@Suite("A slot that the caller's own booking takes")
struct OwnBookingTests {
    private let fixture = ChangeFixture()
    private let taken = Result<SlotAvailability, Failure>.success(.taken(alternatives: []))

    /// The error of booking the slot of the sample booking under a new key.
    private func rebook(_ request: BookingRequest = Samples.booking()) async -> Failure? {
        do {
            _ = try await fixture.booking.book(request, key: "new")
            return nil
        } catch {
            return error
        }
    }

    private func bookFirst() async throws -> Appointment {
        fixture.server.holds(.success([]))
        let booked = try await fixture.booking.book(Samples.booking(), key: "first").appointment
        fixture.server.availability(taken)
        return booked
    }

    private func own(_ appointment: Appointment, key: String? = "first") -> Failure {
        .slotUnavailable(
            alternatives: [],
            ownBooking: OwnBooking(appointment: appointment, key: key)
        )
    }

    @Test("is found in a list by its id, or else by salon, instant, and phone")
    func listed() async throws {
        let booked = try await bookFirst()
        let own = OwnBookings(journal: fixture.journal, server: fixture.server)
        var moved = booked
        moved.booking.time = Samples.booking(hours: 5).time
        var withoutID = booked
        withoutID.id = nil
        var other = booked
        other.id = "other"
        var otherPhone = withoutID
        otherPhone.booking.phone = "0155 501020"
        var later = withoutID
        later.booking.time = Samples.booking(hours: 6).time
        let found = own.bookings(among: [later, moved, other, withoutID, otherPhone])
        #expect(
            found == [
                OwnBooking(appointment: moved, key: "first"),
                OwnBooking(appointment: withoutID, key: "first"),
            ]
        )
    }

    @Test("is reported with the appointment and its key, also for a different phone")
    func named() async throws {
        let booked = try await bookFirst()
        fixture.server.holds(.success([booked]))
        #expect(await rebook() == own(booked))
        #expect(await rebook(Samples.booking(phone: "0155 501020")) == own(booked))
        await #expect(throws: own(booked)) {
            try await fixture.booking.preview(Samples.booking(), key: "new")
        }
        #expect(fixture.server.sentKeys == ["first"])
    }

    @Test("is reported, too, if the server reports it only when the booking is sent")
    func rejected() async throws {
        let booked = try await bookFirst()
        fixture.server.availability(.success(.unsupported))
        fixture.server.holds(.success([booked]))
        fixture.server.answers(.failure(.slotUnavailable(alternatives: [])))
        #expect(await rebook() == own(booked))
    }

    @Test("is not reported without the journal: an equal phone proves nothing")
    func onlyPhone() async {
        fixture.server.availability(taken)
        fixture.server.holds(.success([Samples.appointment()]))
        #expect(await rebook() == .slotUnavailable(alternatives: []))
        #expect(fixture.server.lookUps == 0)
    }

    @Test("is not reported once it was cancelled or moved, or if the server cannot be asked")
    func gone() async throws {
        let booked = try await bookFirst()
        var cancelled = booked
        cancelled.status = .cancelled
        var moved = booked
        moved.booking.time = Samples.booking(hours: 1).time
        for list in [[cancelled], [moved], [], [Samples.appointment()]] {
            fixture.server.holds(.success(list))
            #expect(await rebook() == .slotUnavailable(alternatives: []))
        }
        fixture.server.holds(.failure(.connectivity(reason: "unplugged")))
        #expect(await rebook() == .slotUnavailable(alternatives: []))
    }

    @Test("is not reported to a different caller, or for a different time")
    func others() async throws {
        let booked = try await bookFirst()
        fixture.server.holds(.success([booked]))
        let later = Samples.booking(hours: 1)
        #expect(await rebook(later) == .slotUnavailable(alternatives: []))
        fixture.server.caller(Caller(credential: "different"))
        #expect(await rebook() == .slotUnavailable(alternatives: []))
    }

    @Test("is reported if it was in doubt and the server now shows it")
    func inDoubt() async throws {
        let pending = BookingIntent(
            key: "first",
            action: .book(Samples.booking()),
            createdAt: fixture.clock.now,
            caller: Samples.caller
        )
        _ = try fixture.journal.begin(pending, joiningSameBooking: false)
        fixture.server.availability(taken)
        fixture.server.holds(.success([Samples.appointment()]))
        #expect(await rebook() == own(Samples.appointment()))
        #expect(fixture.journal.state(of: "first") == .pending)
    }

    @Test("is reported if it was moved there, and the journal has no key of the booking")
    func movedThere() async throws {
        let moved = try await fixture.changing.change(ChangeFixture.move()).appointment
        fixture.server.availability(taken)
        fixture.server.holds(.success([moved]))
        #expect(await rebook(Samples.booking(hours: 1)) == own(moved, key: nil))
        #expect(await rebook() == .slotUnavailable(alternatives: []))
    }

    @Test("is reported to a change that moves a different appointment there")
    func change() async throws {
        let booked = try await bookFirst()
        let other = Samples.appointment(1, hours: 2)
        fixture.server.holds(.success([booked, other]))
        let time = RequestedTime.wallClock(Samples.booking().time)
        let move = ChangeRequest(id: "a1-2", kind: .reschedule(to: time))
        #expect(await fixture.error(move) == own(booked))
    }

    @Test("is not the appointment that is to be moved")
    func itself() async throws {
        let moved = try await fixture.changing.change(ChangeFixture.move()).appointment
        fixture.server.holds(.success([moved]))
        fixture.server.answers(.failure(.slotUnavailable(alternatives: [])))
        #expect(await fixture.error(ChangeFixture.move()) == .slotUnavailable(alternatives: []))
    }
}
