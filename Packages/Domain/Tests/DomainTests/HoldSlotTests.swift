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
    ) async -> Failure? {
        do throws(Failure) {
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
        let server = HoldAPIStub(.failure(.noResponse(reason: "lost")))
        #expect(await error(server) == .holdInDoubt(key: "key-1", reason: "lost"))
        #expect(server.requests.count == 1)
    }

    @Test("each failure of the server has its own error")
    func failures() async {
        let limit = AttemptError.tooManyHolds(reason: "three", retryAfterSeconds: 42)
        #expect(
            await error(HoldAPIStub(.failure(limit)))
                == .tooManyHolds(reason: "three", retryAfterSeconds: 42)
        )
        #expect(
            await error(HoldAPIStub(.failure(.unsupported(reason: "501"))))
                == .holdsUnsupported(reason: "501")
        )
        let free = [Samples.booking(hours: 1).time]
        #expect(
            await error(HoldAPIStub(.failure(.slotUnavailable(alternatives: free))))
                == .slotUnavailable(alternatives: free)
        )
        #expect(
            await error(HoldAPIStub(.failure(.conflict(reason: "taken"))))
                == .slotUnavailable(alternatives: [], reason: "taken")
        )
        let busy = AttemptError.stillProcessing(reason: "wait")
        #expect(
            await error(HoldAPIStub(.failure(busy))) == .holdInDoubt(key: "key-1", reason: "wait")
        )
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
                    : .invalidRequest(field: "minutes", reason: "must be 1 to 15"))
        )
        #expect(server.requests.isEmpty != isValid)
    }

    @Test("a time that the salon's rules forbid is not requested")
    func rules() async {
        let server = HoldAPIStub(.success(GrantedHold(Self.hold)))
        guard case .outsideOpeningHours = await error(server, Samples.booking(hours: 11))
        else {
            Issue.record("a closed salon was asked for a hold")
            return
        }
        #expect(server.requests.isEmpty)
    }

    @Test("a preview holds nothing, and reports a taken time")
    func preview() async throws {
        let server = HoldAPIStub(.success(GrantedHold(Self.hold)))
        #expect(try await useCase(server).preview(Samples.booking()).endTime != nil)
        bookings.availability(.success(.taken(alternatives: [])))
        await #expect(throws: Failure.slotUnavailable(alternatives: [])) {
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
        await #expect(throws: Failure.holdNotFound(id: "h2", reason: "none")) {
            try await useCase(server).release("h2")
        }
        server.failReleases(.noResponse(reason: "lost"))
        await #expect(throws: Failure.releaseInDoubt(id: "h1", reason: "lost")) {
            try await useCase(server).release("h1")
        }
        #expect(server.released == ["h1", "h2", "h1"])
    }

    @Test("a hold or a release that is cancelled before it is sent is cancelled")
    func cancelled() async {
        let unsent = AttemptError.notSent(reason: "refused")
        let server = HoldAPIStub(.failure(unsent))
        server.failReleases(unsent)
        server.beforeAnswering { withUnsafeCurrentTask { $0?.cancel() } }
        #expect(await Task { await error(server) }.value == .cancelled)
        let release = Task { () -> Failure? in
            do throws(Failure) {
                try await useCase(server).release("h1")
                return nil
            } catch {
                return error
            }
        }
        #expect(await release.value == .cancelled)
        #expect(server.requests.count == 1 && server.released == ["h1"])
    }

    @Test("an id that no hold can have is rejected", arguments: ["", "a b", "é"])
    func invalidID(id: String) async {
        let server = HoldAPIStub(.success(GrantedHold(Self.hold)))
        await #expect(throws: Failure.self) { try await useCase(server).release(id) }
        #expect(server.released.isEmpty)
    }

    @Test("what a hold states is known from the response, or else from the server")
    func known() async throws {
        let server = HoldAPIStub(.success(GrantedHold(Self.hold)))
        let holding = useCase(server)
        #expect(await holding.known("h1") == nil)
        _ = try await holding.hold(Samples.booking())
        #expect(await holding.known("h1")?.booking == Samples.booking().normalized)
        #expect(await holding.known("h2") == nil)
        var stated = Hold(id: "h2", expiresAt: Self.expiry, booking: Samples.booking())
        server.state(.success(GrantedHold(stated)))
        #expect(await holding.known("h2") == stated)
        // The answer is about a different hold.
        #expect(await holding.known("h3") == nil)
        stated.booking = nil
        server.state(.success(GrantedHold(stated)))
        #expect(await holding.known("h2") == nil)
        server.state(.failure(.noResponse(reason: "lost")))
        #expect(await holding.known("h2") == nil)
    }

    @Test("the server's statement says whether a hold that is released has ended")
    func ending() async throws {
        let server = HoldAPIStub(.success(GrantedHold(Self.hold)))
        let holding = useCase(server)
        #expect(await holding.preview(releasing: "h1") == nil)
        _ = try await holding.hold(Samples.booking())
        #expect(await holding.preview(releasing: "h1")?.hasEnded == false)
        let ended = Hold(
            id: "h1",
            expiresAt: Self.expiry.advanced(bySeconds: -299),
            booking: Samples.booking()
        )
        for (seconds, hasEnded) in [(Int64(-300), false), (-299, true)] {
            let time = Self.expiry.advanced(bySeconds: seconds)
            server.state(.success(GrantedHold(ended, serverTime: time)))
            #expect(await holding.preview(releasing: "h1")?.hasEnded == hasEnded)
        }
    }
}
