import Domain
import DomainTestSupport
import Testing

/// Calls whose time is limited. The pauses of these tests consume the budget, but take no time.
@Suite("The budget of time of a call")
struct CallBudgetTests {
    private let server = BookingAPIStub()
    private let journal = InMemoryBookingJournal()
    private let pauses = PausesSpy()
    private let timeout = AttemptError.noResponse(reason: "slow", resending: .never)

    /// Books within a budget of 20 s, of which `consumed` seconds are used up when the request is sent.
    private func book(consumed: Int = 0, _ failure: AttemptError) async -> Failure? {
        server.answers(.failure(failure))
        let budget = CallBudget(.seconds(20))
        server.beforeSending { budget.consume(.seconds(consumed)) }
        let useCase = BookAppointment(server: server, journal: journal, pauses: pauses)
        return await CallBudget.$current.withValue(budget) {
            do throws(Failure) {
                _ = try await useCase.book(Samples.booking())
                return nil
            } catch {
                return error
            }
        }
    }

    private var seconds: [Int] { pauses.pauses.map { Int($0 / .seconds(1)) } }

    @Test(
        "a booking in doubt is looked up only within the budget, the last time at its end",
        arguments: [
            (0, [1, 2, 4, 8]), (3, [1, 2, 4, 8]), (4, [1, 2, 4, 7]), (10, [1, 2, 4, 1]),
            (12, [1, 2, 3]), (17, [1]), (18, []), (25, []),
        ]
    )
    func lookups(consumed: Int, expected: [Int]) async {
        let doubt = Failure.inDoubt(key: "key-1", reason: "slow")
        #expect(await book(consumed: consumed, timeout) == doubt)
        #expect(seconds == expected && server.lookUps == expected.count + 1)
    }

    @Test("what is left before a booking is sent leaves ten seconds, or half, for its lookup")
    func reserve() async {
        for (limit, whole, reduced) in [(20, 20, 10), (60, 60, 50), (8, 8, 4)] {
            let server = BookingAPIStub()
            let budget = CallBudget(.seconds(limit))
            #expect(budget.remaining == .seconds(whole))
            server.beforeSending { #expect(budget.remaining == .seconds(reduced)) }
            let useCase = BookAppointment(server: server, journal: InMemoryBookingJournal())
            await CallBudget.$current.withValue(budget) {
                _ = try? await useCase.book(Samples.booking())
            }
            #expect(server.sentKeys.count == 1 && budget.remaining == .seconds(whole))
        }
    }

    @Test(
        "a pause that the server demands is not shortened, so a booking without time for it is in doubt"
    )
    func retryAfter() async {
        let busy = AttemptError.noResponse(
            reason: "busy",
            resending: .always,
            retryAfterSeconds: 9
        )
        let doubt = Failure.inDoubt(key: "key-1", reason: "busy", retryAfterSeconds: 9)
        #expect(await book(consumed: 12, busy) == doubt)
        #expect(seconds.isEmpty && server.sentKeys.count == 1)
    }

    @Test("intervals that overlap are consumed once")
    func overlap() {
        let budget = CallBudget(.seconds(20))
        let start = ContinuousClock.now
        budget.consume(from: start, to: start + .seconds(5))
        budget.consume(from: start + .seconds(1), to: start + .seconds(6))
        budget.consume(from: start + .seconds(2), to: start + .seconds(4))
        #expect(budget.remaining == .seconds(14))
        budget.consume(from: start + .seconds(10), to: start + .seconds(30))
        #expect(budget.remaining == .seconds(-6))
    }

    @Test("a call within a call shares its budget")
    func nested() async {
        await CallBudget.run(within: CallBudget(.seconds(20))) {
            let outer = CallBudget.current
            await CallBudget.run(within: CallBudget(.seconds(60))) {
                #expect(CallBudget.current === outer)
            }
            #expect(outer?.remaining == .seconds(20))
        }
        #expect(CallBudget.current == nil)
    }
}
