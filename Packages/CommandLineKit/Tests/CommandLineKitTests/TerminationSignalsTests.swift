import CommandLineKit
import Glibc
import Testing

@Suite("Termination signals")
struct TerminationSignalsTests {
    // Signal handlers are global, so only one test sets them in this process.
    @Test(
        "The first signal runs the action, the next has its default effect, and an ignored one has none"
    )
    func first() async throws {
        signal(SIGHUP, SIG_IGN)
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        TerminationSignals.onFirst { arrival.yield() }
        #expect(handler(of: SIGHUP) == unsafeBitCast(SIG_IGN, to: Int.self))
        kill(getpid(), SIGTERM)
        for await _ in arrivals { break }
        for number in [SIGTERM, SIGINT, SIGHUP] {
            #expect(handler(of: number) == unsafeBitCast(SIG_DFL, to: Int.self))
        }
    }

    @Test("A signal cancels the work, also if it arrives as soon as the work begins")
    func cancelling() async {
        for _ in 0..<50 {
            await #expect(processExitsWith: .success) {
                await TerminationSignals.cancelling {
                    kill(getpid(), SIGTERM)
                    while !Task.isCancelled { await Task.yield() }
                }
            }
        }
    }

    private func handler(of number: Int32) -> Int {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    }
}
