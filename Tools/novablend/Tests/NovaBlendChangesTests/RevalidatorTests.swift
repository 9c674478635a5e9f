import DomainTestSupport
import Synchronization
import Testing

@testable import NovaBlendChanges

@Suite("The revalidation of subscribed resources", .timeLimit(.minutes(10)))
struct RevalidatorTests {
    private final class Subscribed: Sendable {
        private let state = Mutex<(names: Set<String>, revalidated: [String])>((["salons"], []))

        var names: Set<String> { state.withLock(\.names) }
        var revalidated: [String] { state.withLock(\.revalidated) }

        func set(_ names: Set<String>) { state.withLock { $0.names = names } }

        func revalidate(_ name: String) { state.withLock { $0.revalidated.append(name) } }
    }

    @Test("requests each currently subscribed resource every 30 s, until it is cancelled")
    func interval() async {
        let (pauses, subscribed) = (ManualPauses(), Subscribed())
        let revalidator = Revalidator(pauses: pauses) { subscribed.revalidate($0) }
        let task = Task { await revalidator.run { subscribed.names } }
        await pauses.wait()
        #expect(subscribed.revalidated.isEmpty)
        pauses.endAll()
        await pauses.wait(for: 2)
        #expect(subscribed.revalidated == ["salons"])
        subscribed.set(["menu", "appointments"])
        pauses.endAll()
        await pauses.wait(for: 3)
        #expect(subscribed.revalidated == ["salons", "appointments", "menu"])
        task.cancel()
        await task.value
        #expect(pauses.requested == [.seconds(30), .seconds(30), .seconds(30)])
    }
}
