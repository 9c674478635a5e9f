import PersistenceTestSupport
import Synchronization
import SystemTestSupport
import Testing

@testable import Persistence

@Suite("The observer of a cache")
struct FileCacheObserverTests {
    private final class Recorder: FileCacheObserver {
        private let events = Mutex<[String]>([])

        func didHit(_ name: String, age: Duration) { record("hit \(name) \(age)") }
        func didMiss(_ name: String) { record("miss \(name)") }
        func didWrite(_ name: String, bytes: Int) { record("write \(name) \(bytes)") }

        private func record(_ event: String) { events.withLock { $0.append(event) } }

        /// Returns the events since the last call.
        func next() -> [String] {
            events.withLock { events in
                defer { events = [] }
                return events
            }
        }
    }

    private struct Silent: FileCacheObserver {}

    private let directory: TemporaryDirectory
    private let recorder = Recorder()

    init() throws { directory = try TemporaryDirectory() }

    private func cache(
        now: Int64 = 0,
        _ observer: (any FileCacheObserver)? = nil
    ) -> FileSnapshotStore {
        let limits = FileSnapshotStore.Limits(bytes: 100, age: .seconds(10))
        return FileSnapshotStore(directory.path, nil, limits, observer ?? recorder) { .at(now) }
    }

    private let snapshot = Snapshot(payload: [1, 2, 3], savedAt: .at(100), metadata: [4])

    @Test("receives each hit with the age, and an absent or expired snapshot as a miss")
    func loads() throws {
        #expect(try cache().load("a") == nil)
        #expect(recorder.next() == ["miss a"])
        try cache().replace("a", with: snapshot)
        _ = recorder.next()
        #expect(try cache(now: 107).load("a") == snapshot)
        #expect(recorder.next() == ["hit a 7.0 seconds"])
        #expect(try cache(now: 110).load("a") == nil)
        #expect(try cache(now: 107).load("b") == nil)
        #expect(recorder.next() == ["miss a", "miss b"])
        let other = FileSnapshotStore(directory.path, nil, nil, recorder) { .at(99) }
        #expect(try other.load("a") == snapshot)
        #expect(recorder.next() == ["hit a -1.0 seconds"])
    }

    @Test("receives each write with its size, if it was made")
    func writes() throws {
        let cache = cache(now: 100)
        try cache.replace("a", with: snapshot)
        #expect(recorder.next() == ["write a \(try directory.bytes("a.snapshot").count)"])
        #expect(try cache.replace("a", with: snapshot) { false } == false)
        try cache.update("a") { _ in nil }
        #expect(recorder.next().isEmpty)
        try cache.update("a") { _ in Snapshot(payload: [], savedAt: .at(100)) }
        let size = try directory.bytes("a.snapshot").count
        #expect(recorder.next() == ["write a \(size)"])
        let position = try #require(try cache.tail(of: "a", after: nil)).position
        #expect(try cache.append([1, 2], to: "a", at: position, savedAt: .at(100)) != nil)
        let appended = try directory.bytes("a.snapshot").count - size
        #expect(recorder.next() == ["write a \(appended)"])
        #expect(try cache.append([1, 2], to: "a", at: position, savedAt: .at(100)) == nil)
        #expect(recorder.next().isEmpty)
    }

    @Test("receives nothing of an operation that throws")
    func failures() throws {
        let cache = cache(now: 100)
        let large = Snapshot(payload: [UInt8](repeating: 1, count: 100), savedAt: .at(100))
        #expect(throws: StoreError.self) { try cache.replace("a", with: large) }
        #expect(throws: StoreError.self) { try cache.update("a") { _ in large } }
        try directory.write([1], to: "b.snapshot")
        #expect(throws: StoreError.self) { try cache.load("b") }
        #expect(recorder.next().isEmpty)
    }

    @Test("need not implement any function")
    func defaults() throws {
        let cache = cache(now: 100, Silent())
        try cache.replace("a", with: snapshot)
        #expect(try cache.load("a") == snapshot)
        #expect(try cache.load("b") == nil)
    }
}
