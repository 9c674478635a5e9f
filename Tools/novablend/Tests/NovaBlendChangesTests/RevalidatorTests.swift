import DomainTestSupport
import Synchronization
import Testing

@testable import NovaBlendChanges

@Suite("Revalidating what is subscribed to", .timeLimit(.minutes(1)))
struct RevalidatorTests {
    private let pauses = ManualPauses()
    private let subscribed = Subscribed()

    private final class Subscribed: Sendable {
        private let state = Mutex<(names: Set<String>, asked: [String])>(([], []))

        var names: Set<String> { state.withLock(\.names) }
        var asked: [String] { state.withLock(\.asked) }

        func set(_ names: Set<String>) { state.withLock { $0.names = names } }

        func ask(_ name: String) { state.withLock { $0.asked.append(name) } }
    }

    private func revalidator() -> Revalidator {
        Revalidator(pauses: pauses) { [subscribed] in subscribed.ask($0) }
    }

    /// Ends the pause of that number, which begins once what the one before led to is done.
    private func endPause(_ number: Int) async {
        await pauses.wait(for: number)
        pauses.endAll()
    }

    @Test("asks for each resource every 30 s, for what is subscribed to at that time")
    func interval() async {
        let revalidator = revalidator()
        subscribed.set(["salons"])
        revalidator.start { [subscribed] in subscribed.names }
        await pauses.wait()
        #expect(subscribed.asked.isEmpty)
        await endPause(1)
        await pauses.wait(for: 2)
        #expect(subscribed.asked == ["salons"])
        subscribed.set(["menu", "appointments"])
        await endPause(2)
        await pauses.wait(for: 3)
        #expect(subscribed.asked == ["salons", "appointments", "menu"])
        #expect(pauses.requested == [.seconds(30), .seconds(30), .seconds(30)])
    }

    @Test("runs once however often it is started")
    func once() async {
        let revalidator = revalidator()
        subscribed.set(["salons"])
        for _ in 1...3 { revalidator.start { [subscribed] in subscribed.names } }
        await endPause(1)
        await pauses.wait(for: 2)
        #expect(subscribed.asked == ["salons"] && pauses.pendingCount <= 1)
    }

    @Test("ends when nothing is subscribed to, and begins again with the next subscription")
    func ends() async {
        let revalidator = revalidator()
        let (looked, looking) = AsyncStream.makeStream(of: Void.self)
        let resources: @Sendable () -> Set<String> = { [subscribed] in
            looking.yield()
            return subscribed.names
        }
        revalidator.start(resources)
        await endPause(1)
        for await _ in looked { break }
        subscribed.set(["salons"])
        // It may just be about to note that it has ended.
        while pauses.requested.count < 2 {
            revalidator.start(resources)
            await Task.yield()
        }
        await endPause(2)
        await pauses.wait(for: 3)
        #expect(subscribed.asked == ["salons"])
    }
}
