import DomainTestSupport
import Synchronization
import Testing

@testable import NovaBlendChanges

@Suite("The revalidation of subscribed resources", .timeLimit(.minutes(10)))
struct RevalidatorTests {
    private let pauses = ManualPauses()
    private let subscribed = Subscribed()

    private final class Subscribed: Sendable {
        private let state = Mutex<(names: Set<String>, revalidated: [String])>(([], []))

        var names: Set<String> { state.withLock(\.names) }
        var revalidated: [String] { state.withLock(\.revalidated) }

        func set(_ names: Set<String>) { state.withLock { $0.names = names } }

        func revalidate(_ name: String) { state.withLock { $0.revalidated.append(name) } }
    }

    private func revalidator() -> Revalidator {
        Revalidator(pauses: pauses) { [subscribed] in subscribed.revalidate($0) }
    }

    /// Waits for the pause with this number and ends it. The pause begins when the revalidations
    /// after the previous pause are done.
    private func endPause(_ number: Int) async {
        await pauses.wait(for: number)
        pauses.endAll()
    }

    @Test("requests each currently subscribed resource every 30 s")
    func interval() async {
        let revalidator = revalidator()
        defer { pauses.cancelAll() }
        subscribed.set(["salons"])
        revalidator.start { [subscribed] in subscribed.names }
        await pauses.wait()
        #expect(subscribed.revalidated.isEmpty)
        await endPause(1)
        await pauses.wait(for: 2)
        #expect(subscribed.revalidated == ["salons"])
        subscribed.set(["menu", "appointments"])
        await endPause(2)
        await pauses.wait(for: 3)
        #expect(subscribed.revalidated == ["salons", "appointments", "menu"])
        #expect(pauses.requested == [.seconds(30), .seconds(30), .seconds(30)])
    }

    @Test("runs only once even if it is started several times")
    func once() async {
        let revalidator = revalidator()
        defer { pauses.cancelAll() }
        subscribed.set(["salons"])
        for _ in 1...3 { revalidator.start { [subscribed] in subscribed.names } }
        await endPause(1)
        await pauses.wait(for: 2)
        #expect(subscribed.revalidated == ["salons"] && pauses.pendingCount <= 1)
    }

    @Test("stops without subscriptions, and starts again with the next subscription")
    func ends() async {
        let revalidator = revalidator()
        defer { pauses.cancelAll() }
        let (reads, readContinuation) = AsyncStream.makeStream(of: Void.self)
        let resources: @Sendable () -> Set<String> = { [subscribed] in
            readContinuation.yield()
            return subscribed.names
        }
        revalidator.start(resources)
        await endPause(1)
        for await _ in reads { break }
        subscribed.set(["salons"])
        // It may not have recorded yet that it has stopped, so start it until a new pause begins.
        while pauses.requested.count < 2 {
            revalidator.start(resources)
            await Task.yield()
        }
        await endPause(2)
        await pauses.wait(for: 3)
        #expect(subscribed.revalidated == ["salons"])
    }
}
