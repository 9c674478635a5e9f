import Synchronization
import SystemSupport
import Testing

@Suite("A lazy value")
struct LazyValueTests {
    private final class Counter: Sendable {
        let count = Mutex(0)
    }

    private let counter = Counter()

    private func makeValue() -> LazyValue<Int> {
        LazyValue { [counter] in
            counter.count.withLock { count in
                count += 1
                return count
            }
        }
    }

    @Test("a value that no one reads is not made")
    func unread() {
        _ = makeValue()
        #expect(counter.count.withLock { $0 } == 0)
    }

    @Test("a value that many threads read at the same time is made once")
    func readByMany() async {
        let lazy = makeValue()
        let values = await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { lazy.value } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(values == [1] && counter.count.withLock { $0 } == 1)
    }
}
