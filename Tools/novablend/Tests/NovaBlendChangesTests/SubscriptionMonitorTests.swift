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

    private func snapshot(_ text: String) -> Snapshot {
        Snapshot(payload: Array(text.utf8), savedAt: 0)
    }

    @Test("are reported after the next revalidation if a client is subscribed")
    func noticed() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) { pauses.cancelAll() } }
        let files = FileSnapshotStore(directory: directory.file("cache"))
        let notifier = ChangeNotifier(CachedContent(store: files, salonsURL: nil).fingerprint)
        notifier.observe { [continuation = reports.continuation] in continuation.yield($0) }
        let watch = DirectoryWatch(files) { notifier.announce($0) }
        let server = Mutex("old")
        let monitor = SubscriptionMonitor(
            watch: watch,
            notifier: notifier,
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
        monitor.subscriptionAdded()
        for number in 1...2 {
            server.withLock { $0 = number == 1 ? "old" : "new" }
            await pauses.wait(for: number)
            pauses.endAll()
        }
        var iterator = reports.stream.makeAsyncIterator()
        #expect(await iterator.next() == "movies")
    }

    @Test("are reported even if the directory could not be created when the client subscribed")
    func laterDirectory() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) { pauses.cancelAll() } }
        let parent = directory.file("parent")
        // A file is in the way.
        try Data().write(to: URL(filePath: parent))
        let files = FileSnapshotStore(directory: parent + "/cache")
        let notifier = ChangeNotifier(CachedContent(store: files, salonsURL: nil).fingerprint)
        notifier.observe { [continuation = reports.continuation] in continuation.yield($0) }
        let monitor = SubscriptionMonitor(
            watch: DirectoryWatch(files) { notifier.announce($0) },
            notifier: notifier,
            revalidations: ["movies": { try? files.replace("movies", with: snapshot("new")) }],
            pauses: pauses
        )
        monitor.add { ["movies"] }
        monitor.subscriptionAdded()
        try FileManager.default.removeItem(atPath: parent)
        await pauses.wait()
        pauses.endAll()
        var iterator = reports.stream.makeAsyncIterator()
        #expect(await iterator.next() == "movies")
    }
}
