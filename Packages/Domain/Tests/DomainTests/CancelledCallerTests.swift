import Domain
import DomainTestSupport
import Testing

/// Callers who cancel a request while it is being sent.
@Suite("A cancellation by the caller decides no outcome")
struct CancelledCallerTests {
    private let server = BookingAPIStub()
    private let journal = InMemoryBookingJournal()
    private let lost = BookingAPIStub.Answer.failure(.noResponse(reason: "reset"))

    private static let unsent: [AttemptError] = [
        .notSent(reason: "refused"), .notSent(reason: "429", retryAfterSeconds: 1),
    ]

    /// Runs `body`, and cancels it when it sends attempt number `number`, counted from 1.
    private func error(
        cancelledAt number: Int,
        of server: BookingAPIStub,
        _ body: @escaping @Sendable () async throws(Failure) -> BookingConfirmation
    ) async -> Failure? {
        server.beforeSending { [weak server] in
            if server?.sentKeys.count == number - 1 { withUnsafeCurrentTask { $0?.cancel() } }
        }
        return await Task { () -> Failure? in
            do throws(Failure) {
                _ = try await body()
                return nil
            } catch {
                return error
            }
        }.value
    }

    private func book(cancelledAt number: Int, key: String = "key") async -> Failure? {
        let useCase = BookAppointment(server: server, journal: journal)
        return await error(cancelledAt: number, of: server) { () throws(Failure) in
            try await useCase.book(Samples.booking(), key: key)
        }
    }

    @Test("a first attempt that was not sent is cancelled", arguments: unsent)
    func first(failure: AttemptError) async {
        server.answers(.failure(failure))
        #expect(await book(cancelledAt: 1) == .cancelled)
        #expect(journal.state(of: "key") == .dropped)
    }

    @Test("a second attempt that was not sent leaves the booking in doubt", arguments: unsent)
    func second(failure: AttemptError) async {
        server.answers(lost, .failure(failure))
        guard case .inDoubt("key", _, .book, _)? = await book(cancelledAt: 2) else {
            Issue.record("the cancellation ended the doubt")
            return
        }
        #expect(journal.state(of: "key") == .pending && server.sentKeys.count == 2)
    }

    @Test("a resumed booking that was not sent stays in doubt", arguments: unsent)
    func resumed(failure: AttemptError) async {
        server.answers(.failure(.noResponse(reason: "slow", resending: .never)), .failure(failure))
        _ = await book(cancelledAt: 9)
        guard case .inDoubt("key", _, .book, _)? = await book(cancelledAt: 2) else {
            Issue.record("the cancellation ended the doubt")
            return
        }
        #expect(journal.state(of: "key") == .pending)
    }

    @Test("a rejected booking stays open if its repetition is cancelled before it is sent")
    func rejected() async {
        server.answers(.failure(.slotUnavailable(alternatives: [])), .failure(Self.unsent[0]))
        _ = await book(cancelledAt: 9)
        #expect(await book(cancelledAt: 2) == .cancelled)
        #expect(journal.intent(of: "key")?.isRejected == true)
    }

    @Test("the same applies to changes", arguments: [true, false])
    func changes(isCancellation: Bool) async {
        for (answers, number) in [([lost], 2), ([], 1)] {
            let fixture = ChangeFixture()
            fixture.server.answers(answers + [.failure(Self.unsent[0])])
            let changing = fixture.changing
            let request = isCancellation ? ChangeFixture.cancel : ChangeFixture.move()
            let error = await error(cancelledAt: number, of: fixture.server) {
                () throws(Failure) in try await changing.change(request, key: "k")
            }
            if number == 1 {
                #expect(error == .cancelled && fixture.journal.state(of: "k") == .dropped)
            } else if case .inDoubt? = error {
                #expect(fixture.journal.state(of: "k") == .pending)
            } else {
                Issue.record("the cancellation ended the doubt")
            }
        }
    }

    @Test("a caller who cancels during the pause after a conflict leaves the booking in doubt")
    func pause() async {
        server.answers(.failure(.conflict(reason: "taken")))
        let pauses = ManualPauses()
        let useCase = BookAppointment(server: server, journal: journal, pauses: pauses)
        let task = Task { () -> Failure? in
            do throws(Failure) {
                _ = try await useCase.book(Samples.booking(), key: "key")
                return nil
            } catch {
                return error
            }
        }
        await pauses.wait()
        task.cancel()
        #expect(await task.value == .inDoubt(key: "key", reason: "the server rejected it"))
        #expect(journal.state(of: "key") == .pending)
    }
}
