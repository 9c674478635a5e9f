import Domain
import DomainTestSupport
import Testing

@Suite("A time is held while the customer decides")
struct HoldSlotTests {
    private static let expiry = ManualClock().now.advanced(bySeconds: 300)
    private static let hold = Hold(id: "h1", expiresAt: expiry, staffID: "ana")
    private let bookings = BookingAPIStub()

    private func useCase(
        _ server: HoldAPIStub,
        salon: SalonLookup = .known(Samples.salon())
    ) -> HoldSlot {
        let booking = BookAppointment(
            server: bookings,
            journal: InMemoryBookingJournal(),
            salons: SalonDirectoryStub(salon)
        )
        return HoldSlot(server: server, booking)
    }

    private func error(
        _ server: HoldAPIStub,
        _ request: BookingRequest = Samples.booking(),
        minutes: Int? = nil
    ) async -> HoldError? {
        do throws(HoldError) {
            _ = try await useCase(server).hold(request, minutes: minutes)
            return nil
        } catch {
            return error
        }
    }

    @Test("the time left is measured by the server's clock, not by this machine's")
    func serverClock() async throws {
        let serverTime = Self.expiry.advanced(bySeconds: -240)
        let server = HoldAPIStub(.success(GrantedHold(Self.hold, serverTime: serverTime)))
        let held = try await useCase(server).hold(Samples.booking(), minutes: 4, key: "k")
        #expect(held.hold == Self.hold)
        #expect(held.secondsLeft == 240)
        #expect(server.requests == [.init(booking: Samples.booking(), minutes: 4, key: "k")])
    }

    @Test("without the server's time, this machine's clock measures the time left")
    func localClock() async throws {
        let server = HoldAPIStub(.success(GrantedHold(Self.hold)))
        #expect(try await useCase(server).hold(Samples.booking()).secondsLeft == 300)
    }

    @Test("a hold that has already ended has no time left")
    func ended() async throws {
        let late = Self.expiry.advanced(bySeconds: 5)
        let server = HoldAPIStub(.success(GrantedHold(Self.hold, serverTime: late)))
        #expect(try await useCase(server).hold(Samples.booking()).secondsLeft == 0)
    }

    @Test("a lost response is in doubt with its key, and the request is not sent again")
    func lost() async {
        let server = HoldAPIStub(.failure(.failed(.noResponse(reason: "lost"))))
        #expect(await error(server) == .inDoubt(key: "key-1", reason: "lost"))
        #expect(server.requests.count == 1)
    }

    @Test("each failure of the server has its own error")
    func failures() async {
        let limit = HoldServerError.tooMany(reason: "three", retryAfterSeconds: 42)
        #expect(
            await error(HoldAPIStub(.failure(limit)))
                == .tooMany(reason: "three", retryAfterSeconds: 42)
        )
        #expect(
            await error(HoldAPIStub(.failure(.unsupported(reason: "501"))))
                == .unsupported(reason: "501")
        )
        let free = [Samples.booking(hours: 1).time]
        #expect(
            await error(HoldAPIStub(.failure(.failed(.slotUnavailable(alternatives: free)))))
                == .notHeld(.slotUnavailable(alternatives: free))
        )
        #expect(
            await error(HoldAPIStub(.failure(.failed(.conflict(reason: "taken")))))
                == .notHeld(.slotUnavailable(alternatives: [], reason: "taken"))
        )
        let busy = HoldServerError.failed(.stillProcessing(reason: "wait"))
        #expect(await error(HoldAPIStub(.failure(busy))) == .inDoubt(key: "key-1", reason: "wait"))
    }

    @Test(
        "only 1 to 15 minutes can be asked for",
        arguments: [(0, false), (1, true), (15, true), (16, false)]
    )
    func minutes(minutes: Int, isValid: Bool) async {
        let server = HoldAPIStub(.success(GrantedHold(Self.hold)))
        let error = await error(server, minutes: minutes)
        #expect(
            error
                == (isValid
                    ? nil
                    : .notHeld(.invalidRequest(field: "minutes", reason: "must be 1 to 15")))
        )
        #expect(server.requests.isEmpty != isValid)
    }

    @Test("a time that the salon's rules forbid is not requested")
    func rules() async {
        let server = HoldAPIStub(.success(GrantedHold(Self.hold)))
        guard case .notHeld(.outsideOpeningHours) = await error(server, Samples.booking(hours: 11))
        else {
            Issue.record("a closed salon was asked for a hold")
            return
        }
        #expect(server.requests.isEmpty)
    }

    @Test("a preview holds nothing, and reports a taken time")
    func preview() async throws {
        let server = HoldAPIStub(.success(GrantedHold(Self.hold)))
        try await useCase(server).preview(Samples.booking())
        bookings.availability(.success(.taken(alternatives: [])))
        await #expect(throws: HoldError.notHeld(.slotUnavailable(alternatives: []))) {
            try await useCase(server).preview(Samples.booking())
        }
        #expect(server.requests.isEmpty)
    }

    @Test("releasing an unknown hold is an error, and a lost response may not have released it")
    func release() async throws {
        let server = HoldAPIStub(.success(GrantedHold(Self.hold)))
        try await useCase(server).release("h1")
        #expect(server.released == ["h1"])
        server.failReleases(.notFound(reason: "none"))
        await #expect(throws: HoldError.notFound(id: "h2", reason: "none")) {
            try await useCase(server).release("h2")
        }
        server.failReleases(.failed(.noResponse(reason: "lost")))
        await #expect(throws: HoldError.releaseInDoubt(id: "h1", reason: "lost")) {
            try await useCase(server).release("h1")
        }
        #expect(server.released == ["h1", "h2", "h1"])
    }

    @Test("a hold or a release that is cancelled before it is sent is cancelled")
    func cancelled() async {
        let unsent = HoldServerError.failed(.notSent(reason: "refused"))
        let server = HoldAPIStub(.failure(unsent))
        server.failReleases(unsent)
        server.beforeAnswering { withUnsafeCurrentTask { $0?.cancel() } }
        #expect(await Task { await error(server) }.value == .notHeld(.cancelled))
        let release = Task { () -> HoldError? in
            do throws(HoldError) {
                try await useCase(server).release("h1")
                return nil
            } catch {
                return error
            }
        }
        #expect(await release.value == .notHeld(.cancelled))
        #expect(server.requests.count == 1 && server.released == ["h1"])
    }

    @Test("an id that no hold can have is rejected", arguments: ["", "a b", "é"])
    func invalidID(id: String) async {
        let server = HoldAPIStub(.success(GrantedHold(Self.hold)))
        await #expect(throws: HoldError.self) { try await useCase(server).release(id) }
        #expect(server.released.isEmpty)
    }
}
