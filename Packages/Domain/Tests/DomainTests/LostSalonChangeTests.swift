import Domain
import DomainTestSupport
import Testing

@Suite("A change of a salon whose response is lost or unclear")
struct LostSalonChangeTests {
    private typealias Fixture = ChangeSalonFixture

    private let id = Samples.salonID()
    private static let unclear: [AttemptError] = [
        .noResponse(reason: "lost", retryAfterSeconds: 5), .accepted(reason: "202"),
        .versionConflict(reason: "412"), .notFound(reason: "404"), .noResource(reason: "410"),
        .unproven(.notAllowed(reason: "403")),
    ]

    private func error(_ body: () async throws -> SalonChange) async -> Failure? {
        await Fixture.error(of: body)
    }

    @Test(
        "is done if the server stores the requested salon, and is not sent again",
        arguments: unclear
    )
    func done(failure: AttemptError) async throws {
        let fixture = Fixture()
        fixture.server.fault(.lost(failure))
        let change = try await fixture.put()
        #expect(change.outcome == .changed && change.after == Fixture.changed)
        #expect(fixture.server.sent.count == 1)
        #expect(fixture.cache.elements() == [Fixture.changed])

        let created = Fixture(SalonAPIStub())
        created.server.fault(.lost(failure))
        #expect(try await created.put().outcome == .created)

        let deleted = Fixture()
        deleted.server.fault(.lost(failure))
        #expect(try await deleted.delete().outcome == .deleted)
        #expect(deleted.cache.elements() == [])
    }

    @Test("is in doubt if the server still stores the old salon, because it may yet arrive")
    func inDoubt() async throws {
        for failure in Self.unclear.prefix(2) {
            let seconds = failure == .accepted(reason: "202") ? nil : 5
            let reason = seconds == nil ? "202" : "lost"
            let expected = Failure.salonInDoubt(id, reason: reason, retryAfterSeconds: seconds)
            let (replaced, deleted) = (Fixture(), Fixture())
            let created = Fixture(SalonAPIStub())
            for fixture in [replaced, deleted, created] { fixture.server.fault(.rejected(failure)) }
            #expect(await error { try await replaced.put() } == expected)
            #expect(await error { try await deleted.delete() } == expected)
            #expect(await error { try await created.put() } == expected)
            for fixture in [replaced, deleted, created] {
                #expect(fixture.server.sent.count == 1)
                #expect(fixture.cache.updates == 0)
                #expect(fixture.counter.value == 1)
            }
        }
    }

    @Test("is in doubt if the salon cannot be looked up")
    func lookupFails() async throws {
        for failure in Self.unclear {
            let fixture = Fixture()
            let stored = StoredSalon(Fixture.stored, entityTag: "\"3\"")
            fixture.server.lookups(
                .success(.stored(stored)),
                .failure(.connectivity(reason: "unplugged"))
            )
            fixture.server.fault(.lost(failure))
            guard case .salonInDoubt(id, let reason, _) = await error({ try await fixture.put() })
            else {
                Issue.record("\(failure)")
                continue
            }
            #expect(reason.hasSuffix("looking it up failed: unplugged"))
        }
    }

    @Test(
        "needs the list if a lookup gets an unnamed 404, as from a proxy",
        arguments: [
            (.absent, true), (.known(Samples.salon()), false), (.unknown, false),
        ] as [(SalonLookup, Bool)]
    )
    func unnamedAbsence(listing: SalonLookup, isDeleted: Bool) async throws {
        let stored = StoredSalon(Fixture.stored, entityTag: "\"3\"")
        for failure in Self.unclear {
            let fixture = Fixture(SalonAPIStub(Fixture.stored), listing: listing)
            fixture.server.lookups(.success(.stored(stored)), .success(.absentOrUnsupported))
            fixture.server.fault(.rejected(failure))
            if isDeleted {
                #expect(try await fixture.delete().outcome == .deleted)
            } else if case .salonInDoubt = await error({ try await fixture.delete() }) {
                #expect(fixture.cache.updates == 0)
            } else {
                Issue.record("\(failure)")
            }
        }
    }

    @Test("is in doubt if the server no longer serves salons individually")
    func unsupportedLookup() async throws {
        let stored = StoredSalon(Fixture.stored, entityTag: "\"3\"")
        for failure in Self.unclear {
            let fixture = Fixture()
            fixture.server.lookups(.success(.stored(stored)), .success(.unsupported))
            fixture.server.fault(.lost(failure))
            guard case .salonInDoubt = await error({ try await fixture.put() }) else {
                Issue.record("\(failure)")
                continue
            }
        }
    }

    @Test("is a version conflict if a different change came first")
    func superseded() async throws {
        var other = Samples.salon()
        (other.name, other.version) = ("Other", 4)
        for failure in [Self.unclear[0], Self.unclear[2]] {
            for isDeletion in [false, true] {
                let fixture = Fixture()
                let (server, overtaking) = (fixture.server, other)
                server.beforeSending { server.store(overtaking) }
                server.fault(.rejected(failure))
                let found = await error {
                    isDeletion ? try await fixture.delete() : try await fixture.put()
                }
                #expect(found == .salonVersionConflict(current: other))
            }
        }
        let created = Fixture(SalonAPIStub())
        let (server, overtaking) = (created.server, other)
        server.beforeSending { server.store(overtaking) }
        #expect(await error { try await created.put() } == .salonVersionConflict(current: other))
    }

    @Test("of a salon that was deleted in the meantime ends with a clear error")
    func gone() async throws {
        let fixture = Fixture()
        let stored = StoredSalon(Fixture.stored, entityTag: "\"3\"")
        fixture.server.lookups(.success(.stored(stored)), .success(.absent))
        fixture.server.fault(.rejected(.versionConflict(reason: "412")))
        #expect(await error { try await fixture.put() } == .salonNotFound(id))
    }

    @Test("is a rejection if the server rejects the version that it still stores")
    func rejectsCurrentVersion() async throws {
        let put = Fixture()
        put.server.fault(.rejected(.versionConflict(reason: "weak")))
        #expect(await error { try await put.put() } == .rejected(status: 412, reason: "weak"))
        for failure in [AttemptError.notFound(reason: "r"), .noResource(reason: "r")] {
            for isDeletion in [true, false] {
                let fixture = Fixture()
                fixture.server.fault(.rejected(failure))
                let found = await error {
                    isDeletion ? try await fixture.delete() : try await fixture.put()
                }
                #expect(found == .changesUnsupported(reason: "r"))
            }
        }
    }

    @Test("shows what the server stores if it confirms a different salon")
    func storesInstead() async throws {
        let fixture = Fixture()
        var other = Fixture.requested
        other.phone = nil
        fixture.server.fault(.storesInstead(other))
        let change = try await fixture.put()
        #expect(change.outcome == .changed && change.isDifferentFromRequest)
        #expect(change.after?.phone == nil && change.after?.hours == Fixture.requested.hours)
        #expect(change.after?.version == 4)
    }

    @Test("is not deleted if the server accepts the deletion and stores a different salon")
    func acceptedDeletion() async throws {
        let fixture = Fixture()
        let server = fixture.server
        server.beforeSending { server.store(Fixture.changed) }
        server.fault(.rejected(.accepted(reason: "202")))
        let found = await error { try await fixture.delete() }
        #expect(found == .salonVersionConflict(current: Fixture.changed))
    }

    @Test("is rejected if the server still stores the old salon after a rejection without proof")
    func unproven() async {
        let fixture = Fixture()
        fixture.server.fault(.rejected(.unproven(.notSent(reason: "429", retryAfterSeconds: 3))))
        let busy = Failure.requiresConnection(reason: "429", retryAfterSeconds: 3)
        #expect(await error { try await fixture.put() } == busy)
        let stored = StoredSalon(Fixture.stored, entityTag: "\"3\"")
        let denied = Failure.notAuthenticated(reason: "401")
        fixture.server.lookups(.success(.stored(stored)), .failure(denied))
        fixture.server.fault(.rejected(.unproven(.notAuthenticated(reason: "r"))))
        #expect(await error { try await fixture.put() } == .notAuthenticated(reason: "r"))
    }

    @Test(
        "is not looked up after a rejection that can only be the response to the first copy",
        arguments: [
            (.notSent(reason: "r"), .requiresConnection(reason: "r")),
            (.salonHasBookings(reason: "r"), .salonHasBookings(Samples.salonID(), reason: "r")),
            (.unsupported(reason: "r"), .changesUnsupported(reason: "r")),
            (.rejected(status: 422, reason: "r"), .rejected(status: 422, reason: "r")),
            (.rejected(status: nil, reason: "r"), .rejected(status: nil, reason: "r")),
            (.notAuthenticated(reason: "r"), .notAuthenticated(reason: "r")),
            (.notAllowed(reason: "r"), .notAllowed(reason: "r")), (.notConfigured, .notConfigured),
        ] as [(AttemptError, Failure)]
    )
    func rejections(failure: AttemptError, expected: Failure) async throws {
        let fixture = Fixture()
        let stored = StoredSalon(Fixture.stored, entityTag: "\"3\"")
        let unexpected = Failure.invalidData(reason: "looked up")
        fixture.server.lookups(.success(.stored(stored)), .failure(unexpected))
        fixture.server.fault(.rejected(failure))
        #expect(await error { try await fixture.put() } == expected)
        #expect(fixture.cache.updates == 0)
    }
}
