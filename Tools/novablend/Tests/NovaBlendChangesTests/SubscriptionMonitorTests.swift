import DomainTestSupport
import Foundation
import Persistence
import Synchronization
import SystemTestSupport
import Testing

@testable import NovaBlendChanges

@Suite("Changes from other machines", .timeLimit(.minutes(10)))
struct SubscriptionMonitorTests {
    private let pauses = ManualPauses()
    private let reports = AsyncStream.makeStream(of: String.self)

    private func notifier(_ store: FileSnapshotStore) -> ChangeNotifier {
        let content = CachedContent(store: store, lists: [:])
        let notifier = ChangeNotifier(content.change)
        notifier.observe { [continuation = reports.continuation] topic, _ in
            continuation.yield(topic)
        }
        return notifier
    }

    private func snapshot(_ text: String) -> Snapshot {
        Snapshot(payload: Array(text.utf8), savedAt: Timestamp(secondsSince1970: 0))
    }

    @Test("are reported after the next revalidation if a client is subscribed")
    func noticed() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) { pauses.cancelAll() } }
        let files = FileSnapshotStore(directory: directory.file("cache"))
        let notifier = notifier(files)
        let server = Mutex("old")
        let monitor = SubscriptionMonitor(
            store: files,
            notifier: notifier,
            listeners: [],
            revalidations: [
                "menu": { try? files.replace("menu", with: snapshot("same")) },
                "movies": {
                    try? files.replace("movies", with: snapshot(server.withLock(\.self)))
                },
            ],
            pauses: pauses
        )
        try files.replace("menu", with: snapshot("same"))
        try files.replace("movies", with: snapshot("old"))
        monitor.add { ["menu", "movies"] }
        monitor.subscriptionsChanged()
        for number in 1...2 {
            server.withLock { $0 = number == 1 ? "old" : "new" }
            await pauses.wait(for: number)
            pauses.endAll()
        }
        var iterator = reports.stream.makeAsyncIterator()
        #expect(await iterator.next() == "movies")
    }

    @Test("are requested every 30 s for each subscribed resource, until the last subscription ends")
    func interval() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) { pauses.cancelAll() } }
        let files = FileSnapshotStore(directory: directory.file("cache"))
        let state = Mutex<(names: Set<String>, revalidated: [String])>((["movies"], []))
        let names = ["feed", "menu", "movies"].map { name in
            (name, { @Sendable () async in state.withLock { $0.revalidated.append(name) } })
        }
        let monitor = SubscriptionMonitor(
            store: files,
            notifier: notifier(files),
            listeners: [],
            revalidations: Dictionary(uniqueKeysWithValues: names),
            pauses: pauses
        )
        monitor.add { state.withLock(\.names) }
        monitor.subscriptionsChanged()
        await pauses.wait()
        #expect(state.withLock(\.revalidated).isEmpty)
        pauses.endAll()
        await pauses.wait(for: 2)
        #expect(state.withLock(\.revalidated) == ["movies"])
        state.withLock { $0.names = ["menu", "feed"] }
        pauses.endAll()
        await pauses.wait(for: 3)
        #expect(state.withLock(\.revalidated) == ["movies", "feed", "menu"])
        state.withLock { $0.names = [] }
        monitor.subscriptionsChanged()
        #expect(pauses.pendingCount == 0)
        #expect(pauses.requested == [.seconds(30), .seconds(30), .seconds(30)])
    }

    @Test("are reported even if the directory could not be created when the client subscribed")
    func laterDirectory() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) { pauses.cancelAll() } }
        let parent = directory.file("parent")
        // A file is in the way.
        try Data().write(to: URL(filePath: parent))
        let files = FileSnapshotStore(directory: parent + "/cache")
        let notifier = notifier(files)
        let monitor = SubscriptionMonitor(
            store: files,
            notifier: notifier,
            listeners: [],
            revalidations: ["movies": { try? files.replace("movies", with: snapshot("new")) }],
            pauses: pauses
        )
        monitor.add { ["movies"] }
        monitor.subscriptionsChanged()
        try FileManager.default.removeItem(atPath: parent)
        await pauses.wait()
        pauses.endAll()
        var iterator = reports.stream.makeAsyncIterator()
        #expect(await iterator.next() == "movies")
    }
}
