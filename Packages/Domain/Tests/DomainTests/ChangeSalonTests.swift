import Domain
import DomainTestSupport
import Testing

@Suite("Changing a salon")
struct ChangeSalonTests {
    private typealias Fixture = ChangeSalonFixture

    private let id = Samples.salonID()

    @Test("replaces the version that was just read, and caches what the server stores")
    func replace() async throws {
        let fixture = Fixture()
        let change = try await fixture.put()
        #expect(change.outcome == .changed && !change.isDifferentFromRequest)
        #expect(change.before == Fixture.stored && change.after == Fixture.changed)
        #expect(fixture.server.sent == [.put(Fixture.requested, ifMatch: "\"3\"")])
        #expect(fixture.cache.elements() == [Fixture.changed])
    }

    @Test("creates a salon that the server does not have, whatever version it states")
    func create() async throws {
        for version in [nil, 7] {
            let fixture = Fixture(SalonAPIStub())
            var salon = Fixture.requested
            salon.version = version
            let change = try await fixture.put(salon)
            #expect(change.outcome == .created && change.before == nil)
            #expect(change.after?.version == 1)
            #expect(fixture.server.sent == [.put(salon, ifMatch: nil)])
        }
    }

    @Test("deletes the version that was just read")
    func delete() async throws {
        let fixture = Fixture()
        let change = try await fixture.delete()
        #expect(change.outcome == .deleted && change.after == nil)
        #expect(change.before == Fixture.stored)
        #expect(fixture.server.sent == [.delete(id, ifMatch: "\"3\"")])
        #expect(fixture.cache.elements() == [])
    }

    @Test("sends nothing if the server already stores the same, even in a different version")
    func unchanged() async throws {
        let fixture = Fixture()
        var same = Fixture.stored
        same.version = 1
        for version in [nil, 2] {
            let change = try await fixture.put(same, version: version)
            #expect(change.outcome == .unchanged && change.after == Fixture.stored)
        }
        #expect(fixture.server.sent.isEmpty && fixture.cache.updates == 0)
        #expect(fixture.counter.value == 0)
    }

    @Test("applies only to the expected version, from the call or else from the salon")
    func versions() async throws {
        var salon = Fixture.requested
        for (stated, passed, isExpected) in [
            (nil, 3, true), (nil, 2, false), (nil, 4, false), (nil, 0, false), (3, nil, true),
            (2, nil, false), (2, 3, true), (3, 2, false),
        ] as [(Int?, Int?, Bool)] {
            let fixture = Fixture()
            salon.version = stated
            let error = await Fixture.error { try await fixture.put(salon, version: passed) }
            let expected =
                isExpected ? nil : Failure.salonVersionConflict(current: Fixture.stored)
            #expect(error == expected, "\(String(describing: (stated, passed)))")
            #expect(fixture.server.sent.isEmpty != isExpected)
        }
        let fixture = Fixture()
        let late = await Fixture.error { try await fixture.delete(version: 2) }
        #expect(late == .salonVersionConflict(current: Fixture.stored))
    }

    @Test("with a version fails if the salon does not exist, except with version 0")
    func missing() async throws {
        let fixture = Fixture(SalonAPIStub())
        for version in [1, 3] {
            let error = await Fixture.error { try await fixture.put(version: version) }
            #expect(error == .salonNotFound(id))
        }
        let deletion = await Fixture.error { try await fixture.delete() }
        #expect(deletion == .salonNotFound(id))
        #expect(fixture.server.sent.isEmpty)
        #expect(try await fixture.put(version: 0).outcome == .created)
    }

    @Test("compares the version with the entity tag if the salon states none")
    func tags() async throws {
        for (tag, isExpected) in [("\"3\"", true), ("\"4\"", false), ("\"a\"", false)] {
            let stored = StoredSalon(Samples.salon(), entityTag: tag)
            let fixture = Fixture(SalonAPIStub())
            fixture.server.lookups(.success(.stored(stored)))
            fixture.server.fault(.rejected(.rejected(status: 400, reason: "test")))
            let error = await Fixture.error { try await fixture.put(version: 3) }
            #expect(fixture.server.sent.isEmpty != isExpected, "\(tag)")
            if !isExpected { #expect(error == .salonVersionConflict(current: Samples.salon())) }
        }
    }

    @Test("fails before sending if the server states no version, or serves no single salons")
    func unsupported() async throws {
        let untagged = StoredSalonLookup.stored(StoredSalon(Samples.salon(), entityTag: nil))
        for (lookup, listing) in [
            (untagged, .absent), (.unsupported, .absent),
            (.absentOrUnsupported, .known(Samples.salon())),
        ] as [(StoredSalonLookup, SalonLookup)] {
            let fixture = Fixture(SalonAPIStub(), listing: listing)
            fixture.server.lookups(.success(lookup))
            let error = await Fixture.error { try await fixture.put() }
            guard case .changesUnsupported = error else {
                Issue.record("\(lookup): \(String(describing: error))")
                continue
            }
            #expect(fixture.server.sent.isEmpty)
        }
    }

    @Test("asks the list about a salon that is not served: only a listed one is unsupported")
    func unlisted() async throws {
        let fixture = Fixture(SalonAPIStub(), listing: .absent)
        fixture.server.lookups(.success(.absentOrUnsupported))
        #expect(try await fixture.put().outcome == .created)
        #expect(fixture.directory.reloads == 1)
        let unknown = Fixture(SalonAPIStub(), listing: .unknown)
        unknown.server.lookups(.success(.absentOrUnsupported))
        let error = await Fixture.error { try await unknown.put() }
        guard case .requiresConnection = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(unknown.server.sent.isEmpty)
    }

    @Test(
        "reports why the salon could not be read before the change",
        arguments: [
            (.connectivity(reason: "r"), .requiresConnection(reason: "r")),
            (
                .unavailable(reason: "r", retryAfterSeconds: 7),
                .requiresConnection(reason: "r", retryAfterSeconds: 7)
            ),
            (.notAuthenticated(reason: "r"), .notAuthenticated(reason: "r")),
            (.notAllowed(reason: "r"), .notAllowed(reason: "r")),
            (.invalidData(reason: "r"), .invalidData(reason: "r")),
            (.notConfigured, .notConfigured), (.cancelled, .cancelled),
        ] as [(Failure, Failure)]
    )
    func unreadable(failure: Failure, expected: Failure) async throws {
        let fixture = Fixture()
        fixture.server.lookups(.failure(failure))
        let error = await Fixture.error { try await fixture.put() }
        #expect(error == expected && fixture.server.sent.isEmpty)
    }

    @Test("counts as a change before it is sent, and again when it is confirmed")
    func counts() async throws {
        let fixture = Fixture()
        let (counter, atSending) = (fixture.counter, InMemoryChangeCounter())
        fixture.server.beforeSending { if counter.value == 1 { atSending.advance() } }
        _ = try await fixture.put()
        #expect(atSending.value == 1 && counter.value == 2)
    }

    @Test("succeeds even if the cached list cannot be updated, and reports that")
    func cacheError() async throws {
        let fixture = Fixture()
        fixture.cache.fail()
        #expect(try await fixture.put().cacheError != nil)
        #expect(try await fixture.delete().cacheError != nil)
    }

    @Test("is not sent if the task was cancelled")
    func cancelled() async throws {
        let fixture = Fixture()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await Fixture.error { try await fixture.put() }
        }
        #expect(await task.value == .cancelled)
        #expect(fixture.server.sent.isEmpty)
    }
}
