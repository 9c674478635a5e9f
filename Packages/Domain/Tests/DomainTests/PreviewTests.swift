import Domain
import DomainTestSupport
import Testing

@Suite("A preview reports what would happen")
struct PreviewTests {
    private let fixture = ChangeFixture()

    private func changedNothing() throws -> Bool {
        try fixture.server.sentKeys.isEmpty && fixture.cache.updates == 0
            && fixture.journal.pending().isEmpty && fixture.journal.state(of: "k") == nil
    }

    @Test("a booking and a change are shown as they would be, and nothing is written or sent")
    func shown() async throws {
        let booked = try await fixture.booking.preview(Samples.booking(hours: 2), key: "k")
        var outcome = Appointment(booking: Samples.booking(hours: 2))
        outcome.endTime = outcome.booking.time.advanced(byMinutes: 30)
        #expect(booked.before == nil && booked.after == outcome)
        #expect(booked.repeatedKey == nil && !booked.isDone)
        let moved = try await fixture.changing.preview(ChangeFixture.move(), key: "k")
        var expected = ChangeFixture.after(hours: 1, version: 2)
        expected.version = nil
        expected.endTime = expected.booking.time.advanced(byMinutes: 30)
        #expect(moved.before == ChangeFixture.before && moved.after == expected)
        let cancelled = try await fixture.changing.preview(ChangeFixture.cancel).after
        #expect(cancelled.status == .cancelled)
        #expect(try changedNothing())
    }

    @Test("a request that would be rejected is rejected")
    func rejected() async throws {
        fixture.server.availability(.success(.taken(alternatives: [])))
        await #expect(throws: Failure.slotUnavailable(alternatives: [])) {
            try await fixture.booking.preview(Samples.booking())
        }
        await #expect(throws: Failure.slotUnavailable(alternatives: [])) {
            try await fixture.changing.preview(ChangeFixture.move())
        }
        fixture.server.availability(.success(.notOffered(alternatives: [])))
        for preview in [
            { try await fixture.booking.preview(Samples.booking()) },
            { try await fixture.changing.preview(ChangeFixture.move()) },
        ] {
            await #expect(
                throws: Failure.notBookable(
                    rule: "other",
                    reason: "the server does not offer this time",
                    alternatives: []
                )
            ) { try await preview() }
        }
        await #expect(throws: Failure.versionConflict(current: ChangeFixture.before)) {
            try await fixture.changing.preview(ChangeFixture.move(version: 0))
        }
        let ahead = ChangeRequest(id: ChangeFixture.cancel.id, version: 9, kind: .cancel)
        await #expect(throws: Failure.versionConflict(current: ChangeFixture.before)) {
            try await fixture.changing.preview(ahead)
        }
        var request = Samples.booking()
        request.phone = "none"
        await #expect(throws: Failure.self) { try await fixture.booking.preview(request) }
        #expect(try changedNothing())
    }

    @Test("a used key previews the first outcome, or the conflict")
    func usedKey() async throws {
        let moved = try await fixture.changing.change(ChangeFixture.move(), key: "k").appointment
        let repeated = try await fixture.changing.preview(ChangeFixture.move(), key: "k")
        #expect(repeated.before == ChangeFixture.before && repeated.after == moved)
        #expect(repeated.repeatedKey == "k" && repeated.isDone)
        await #expect(throws: Failure.idempotencyConflict(key: "k")) {
            try await fixture.changing.preview(ChangeFixture.cancel, key: "k")
        }
        await #expect(throws: Failure.idempotencyConflict(key: "k")) {
            try await fixture.booking.preview(Samples.booking(), key: "k")
        }
        #expect(fixture.server.sentKeys == ["k"])
    }

    @Test("a change in doubt is looked up, and left in doubt")
    func inDoubt() async throws {
        let journal = ChangeFixture.pending(.cancel)
        let fixture = ChangeFixture(journal)
        let cancelled = ChangeFixture.after(version: 2, isCancelled: true)
        fixture.server.holds(.success([cancelled]))
        #expect(
            try await fixture.changing.preview(ChangeFixture.cancel, key: "k").after == cancelled
        )
        let now = ChangeFixture.after(hours: 5, version: 2)
        fixture.server.holds(.success([now]))
        await #expect(throws: Failure.versionConflict(current: now)) {
            try await fixture.changing.preview(ChangeFixture.cancel, key: "k")
        }
        #expect(journal.state(of: "k") == .pending && fixture.cache.updates == 0)
        #expect(try ResolveBookings(fixture.booking).preview().count == 1)
        #expect(journal.state(of: "k") == .pending)
    }

    @Test("a booking in doubt is repeated under its key, unless a repetition would end in doubt")
    func repeated() async throws {
        var intent = BookingIntent(
            key: "earlier",
            action: .book(Samples.booking()),
            createdAt: fixture.clock.now,
            caller: Samples.caller
        )
        var fixture = ChangeFixture(InMemoryBookingJournal([intent]))
        fixture.server.holds(.success([]))
        let preview = try await fixture.booking.preview(Samples.booking())
        #expect(preview.repeatedKey == "earlier" && !preview.isDone)
        fixture.server.holds(.success([Samples.appointment()]))
        let found = try await fixture.booking.preview(Samples.booking())
        #expect(found.after == Samples.appointment() && found.isDone)
        // After a 2xx response that does not confirm the booking, it is not sent again.
        intent.acceptance = .init()
        fixture = ChangeFixture(InMemoryBookingJournal([intent]))
        fixture.server.holds(.success([]))
        let booking = fixture.booking
        await #expect {
            try await booking.preview(Samples.booking())
        } throws: { error in
            if case .inDoubt("earlier", _, .book, _) = error as? Failure {
                true
            } else {
                false
            }
        }
    }

    @Test("a journal that cannot be written is found before anything is sent")
    func journal() throws {
        try fixture.booking.checkJournal()
        fixture.journal.failWrites()
        #expect(throws: Failure.journal(reason: "set by the test")) {
            try fixture.booking.checkJournal()
        }
    }

    @Test("a dry run of cache validation reports what it would delete, and deletes nothing")
    func validation() throws {
        let cache = CacheSpy(CachedValue(value: [Samples.salon()], fetchedAt: fixture.clock.now))
        let loader = ResourceLoader(
            policy: .salons,
            server: ResourceAPIStub<[Salon]>(.success([])),
            cache: cache,
            clock: fixture.clock,
            emptyValue: []
        )
        fixture.clock.advance(bySeconds: 86_400 * 30)
        #expect(try loader.validateCache(isDryRun: true) == .wouldDeleteExpired)
        #expect(cache.cached != nil)
        cache.fail(.retrieval)
        #expect(try loader.validateCache(isDryRun: true) == .wouldDeleteUnreadable)
        #expect(!cache.messages.contains(.delete))
    }

    @Test("a booking names whom the server would assign, the end, and the service with its price")
    func assigned() async throws {
        let price = Price(amount: 4_500, currency: "EUR")
        let cut = Service(id: "cut", name: "Cut", minutes: 45, price: price)
        var salon = Samples.salon()
        (salon.services, salon.staff) = ([cut], [StaffedSalon.ana, StaffedSalon.ben])
        let server = BookingAPIStub()
        let booking = BookAppointment(
            server: server,
            journal: InMemoryBookingJournal(),
            salons: SalonDirectoryStub(.known(salon))
        )
        var request = Samples.booking()
        request.options.serviceID = "cut"
        let unknown = try await booking.preview(request).after
        #expect(unknown.booking.options.staffID == nil && !unknown.isStaffAssigned)
        server.assigns("ben")
        let found = try await booking.preview(request).after
        #expect(found.booking.options.staffID == "ben" && found.isStaffAssigned)
        #expect(found.endTime == request.time.advanced(byMinutes: 45))
        #expect(found.bookedService == cut)
        request.options.staffID = "ana"
        let chosen = try await booking.preview(request).after
        #expect(chosen.booking.options.staffID == "ana" && !chosen.isStaffAssigned)
        #expect(server.sentKeys.isEmpty)
    }

    @Test("no end is stated at a salon without a slot length, but that of a service is")
    func unknownEnd() async throws {
        var salon = Samples.salon()
        salon.slotMinutes = nil
        salon.services = [Service(id: "cut", name: "Cut", minutes: 45)]
        let booking = BookAppointment(
            server: BookingAPIStub(),
            journal: InMemoryBookingJournal(),
            salons: SalonDirectoryStub(.known(salon))
        )
        var request = Samples.booking()
        #expect(try await booking.preview(request).after.endTime == nil)
        request.options.serviceID = "cut"
        let service = try await booking.preview(request).after
        #expect(service.endTime == request.time.advanced(byMinutes: 45))
    }
}
