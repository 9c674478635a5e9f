import Synchronization
import Testing

@testable import NovaBlendChanges

@Suite("The change notifier")
struct ChangeNotifierTests {
    private final class Cache: Sendable {
        private let state = Mutex<(content: [String: Int], reported: [String])>(([:], []))

        var reported: [String] { state.withLock(\.reported) }

        func content(of topic: String) -> Int? { state.withLock { $0.content[topic] } }

        func set(_ topic: String, _ content: Int?) {
            state.withLock { $0.content[topic] = content }
        }

        func report(_ topic: String) { state.withLock { $0.reported.append(topic) } }
    }

    private let cache = Cache()

    private func notifier() -> ChangeNotifier {
        let notifier = ChangeNotifier { [cache] in cache.content(of: $0) }
        notifier.observe { [cache] in cache.report($0) }
        return notifier
    }

    @Test("reports each change of a watched topic once")
    func once() {
        let notifier = notifier()
        cache.set("salons", 1)
        notifier.watch(["salons"])
        notifier.announce("salons")
        #expect(cache.reported.isEmpty)
        cache.set("salons", 2)
        for _ in 1...2 { notifier.announce("salons") }
        notifier.announce("menu")
        #expect(cache.reported == ["salons"])
    }

    @Test("reports when a topic is first cached and when it is deleted")
    func empty() {
        let notifier = notifier()
        notifier.watch(["salons"])
        for content in [1, nil, nil] as [Int?] {
            cache.set("salons", content)
            notifier.announce("salons")
        }
        #expect(cache.reported == ["salons", "salons"])
    }

    @Test("reports only the elements of a resource that have changed")
    func elements() {
        let notifier = notifier()
        notifier.watch(["salons/1", "salons/2", "salonsish"])
        cache.set("salons/1", 1)
        cache.set("salonsish", 1)
        notifier.announce("salons")
        #expect(cache.reported == ["salons/1"])
    }

    @Test("retains the state of a topic when others are added, and stops watching removed topics")
    func rewatched() {
        let notifier = notifier()
        notifier.watch(["salons"])
        cache.set("salons", 1)
        notifier.watch(["salons", "menu"])
        notifier.announce("salons")
        #expect(cache.reported == ["salons"])
        notifier.watch(["menu"])
        cache.set("salons", 2)
        notifier.announce("salons")
        #expect(cache.reported == ["salons"])
    }
}
