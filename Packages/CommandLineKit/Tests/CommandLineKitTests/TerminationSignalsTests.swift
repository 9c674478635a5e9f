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

    @Test("SIGHUP runs an action of its own each time, and the other signals end the process once")
    func hangUp() async {
        await #expect(processExitsWith: .success) {
            let (hangUps, hangUp) = AsyncStream.makeStream(of: Void.self)
            let (ends, end) = AsyncStream.makeStream(of: Void.self)
            TerminationSignals.onHangUp { hangUp.yield() }
            TerminationSignals.onFirst { end.yield() }
            var iterator = hangUps.makeAsyncIterator()
            for _ in 0..<3 {
                kill(getpid(), SIGHUP)
                await iterator.next()
            }
            kill(getpid(), SIGTERM)
            for await _ in ends { break }
            // A server that finishes its requests is not interrupted by a late rotation of its log.
            kill(getpid(), SIGHUP)
            await iterator.next()
        }
    }

    @Test("SIGHUP that was ignored at the start stays ignored")
    func ignoredHangUp() async {
        await #expect(processExitsWith: .success) {
            signal(SIGHUP, SIG_IGN)
            TerminationSignals.onHangUp { exit(EXIT_FAILURE) }
            for _ in 0..<100 { kill(getpid(), SIGHUP) }
        }
    }

    private func handler(of number: Int32) -> Int {
        var action = sigaction()
        sigaction(number, nil, &action)
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    }
}
