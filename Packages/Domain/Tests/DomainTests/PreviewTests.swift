import Domain
import DomainTestSupport
import Testing

@Suite("A preview says what would happen")
struct PreviewTests {
    private let bench = ChangeBench()

    private func changedNothing() throws -> Bool {
        try bench.remote.sentKeys.isEmpty && bench.ledger.added.isEmpty
            && bench.journal.pending().isEmpty && bench.journal.state(of: "k") == nil
    }

    @Test("a booking and a change are shown as they would be, and nothing is written or sent")
    func shown() async throws {
        let booked = try await bench.booking.preview(Samples.booking(hours: 2), key: "k")
        #expect(booked == Appointment(booking: Samples.booking(hours: 2)))
        let moved = try await bench.changing.preview(ChangeBench.move(), key: "k")
        var expected = ChangeBench.after(hours: 1, version: 2)
        expected.version = nil
        #expect(moved.before == ChangeBench.before && moved.after == expected)
        let cancelled = try await bench.changing.preview(ChangeBench.cancel).after
        #expect(cancelled.status == .cancelled)
        #expect(try changedNothing())
    }

    @Test("what would be refused is refused")
    func refused() async throws {
        bench.remote.availability(.success(.taken(alternatives: [])))
        await #expect(throws: BookingError.slotUnavailable(alternatives: [])) {
            try await bench.booking.preview(Samples.booking())
        }
        await #expect(throws: BookingError.slotUnavailable(alternatives: [])) {
            try await bench.changing.preview(ChangeBench.move())
        }
        await #expect(throws: BookingError.versionConflict(current: ChangeBench.before)) {
            try await bench.changing.preview(ChangeBench.move(version: 0))
        }
        let ahead = ChangeRequest(id: ChangeBench.cancel.id, version: 9, kind: .cancel)
        await #expect(throws: BookingError.versionConflict(current: ChangeBench.before)) {
            try await bench.changing.preview(ahead)
        }
        var request = Samples.booking()
        request.phone = "none"
        await #expect(throws: BookingError.self) { try await bench.booking.preview(request) }
        #expect(try changedNothing())
    }

    @Test("a key that was used shows the first answer, or the conflict")
    func usedKey() async throws {
        let moved = try await bench.changing.change(ChangeBench.move(), key: "k").appointment
        #expect(try await bench.changing.preview(ChangeBench.move(), key: "k").after == moved)
        await #expect(throws: BookingError.idempotencyConflict(key: "k")) {
            try await bench.changing.preview(ChangeBench.cancel, key: "k")
        }
        await #expect(throws: BookingError.idempotencyConflict(key: "k")) {
            try await bench.booking.preview(Samples.booking(), key: "k")
        }
        #expect(bench.remote.sentKeys == ["k"])
    }

    @Test("a change in doubt is looked up, and left in doubt")
    func inDoubt() async throws {
        let journal = ChangeBench.pending(.cancel)
        let bench = ChangeBench(journal)
        let cancelled = ChangeBench.after(version: 2, isCancelled: true)
        bench.remote.holds(.success([cancelled]))
        #expect(try await bench.changing.preview(ChangeBench.cancel, key: "k").after == cancelled)
        let now = ChangeBench.after(hours: 5, version: 2)
        bench.remote.holds(.success([now]))
        await #expect(throws: BookingError.versionConflict(current: now)) {
            try await bench.changing.preview(ChangeBench.cancel, key: "k")
        }
        #expect(journal.state(of: "k") == .pending && bench.ledger.added.isEmpty)
        #expect(try ResolveBookings(bench.booking).preview().count == 1)
        #expect(journal.state(of: "k") == .pending)
    }

    @Test("validating a cache says what it would delete, and deletes nothing")
    func validation() throws {
        let cache = CacheSpy(CachedValue(value: [Samples.salon()], fetchedAt: bench.clock.now))
        let loader = ResourceLoader(
            policy: .salons,
            remote: RemoteStub<[Salon]>(.success([])),
            cache: cache,
            clock: bench.clock,
            emptyValue: []
        )
        bench.clock.advance(bySeconds: 86_400 * 30)
        #expect(try loader.validateCache(isDryRun: true) == .wouldDeleteExpired)
        #expect(cache.cached != nil)
        cache.fail(.retrieval)
        #expect(try loader.validateCache(isDryRun: true) == .wouldDeleteUnreadable)
        #expect(!cache.messages.contains(.delete))
    }
}
