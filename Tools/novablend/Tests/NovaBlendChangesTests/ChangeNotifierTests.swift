import Contract
import Domain
import DomainTestSupport
import NovaBlendAdapters
import Persistence
import PersistenceTestSupport
import Synchronization
import Testing

@testable import NovaBlendChanges

@Suite("The change notifier", .timeLimit(.minutes(10)))
struct ChangeNotifierTests {
    /// The reported topics and changes.
    private final class Reports: Sendable {
        private let state = Mutex<[(topic: String, change: ListChange)]>([])

        func add(_ topic: String, _ change: ListChange) {
            state.withLock { $0.append((topic, change)) }
        }

        /// Returns the first report, and removes it.
        func takeFirst() -> (topic: String, change: ListChange)? {
            state.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }

        /// Returns all reports, and removes them.
        func take() -> [(topic: String, change: ListChange)] {
            state.withLock { reports in
                defer { reports = [] }
                return reports
            }
        }
    }

    private let store = InMemorySnapshotStore()
    private let pauses = ManualPauses()
    private let reports = Reports()

    private var salons: StoredResource<SalonListCodec> { cached("salons") }

    private func cached<Codec>(_ name: String) -> StoredResource<Codec> {
        StoredResource(name: name, url: nil, store: store)
    }

    private func notifier() -> ChangeNotifier {
        let salons: StoredResource<EncodedListCodec<SalonListCodec>> = cached("salons")
        let appointments: StoredResource<EncodedListCodec<AppointmentListCodec>> =
            cached("appointments")
        let content = CachedContent(
            store: store,
            lists: [
                "salons": { salons.change(since: &$0) },
                "appointments": { appointments.change(since: &$0) },
            ]
        )
        let notifier = ChangeNotifier(pauses: pauses, content.change)
        notifier.observe { [reports] in reports.add($0, $1) }
        return notifier
    }

    private func salon(_ number: UInt8, _ name: String = "a") -> Salon {
        var salon = Samples.salon(number)
        salon.name = name
        return salon
    }

    private func id(_ number: UInt8) -> ElementKey { .uuid(Samples.salonID(number)) }

    private func cache(_ list: [Salon]) throws {
        let cached = CachedValue(value: list, fetchedAt: Timestamp(secondsSince1970: 0))
        #expect(try salons.replace(with: cached) { true })
    }

    /// Lets the time pass during which changes are reported together.
    private func endPause(_ number: Int) async {
        await pauses.wait(for: number)
        pauses.endAll()
    }

    /// Waits for the next report.
    private func nextReport() async throws -> (topic: String, change: ListChange) {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            try #require(ContinuousClock.now < deadline)
            if let report = reports.takeFirst() { return report }
            await Task.yield()
        }
    }

    @Test("reports each change of a watched resource once, with what is new, different, and gone")
    func once() throws {
        defer { pauses.cancelAll() }
        try cache([salon(1), salon(2), salon(3)])
        let notifier = notifier()
        notifier.watch(["salons"])
        notifier.announce("salons")
        #expect(reports.take().isEmpty)
        try cache([salon(1), salon(2, "b"), salon(4)])
        for _ in 1...2 { notifier.announce("salons") }
        notifier.announce("menu")
        let reported = reports.take()
        #expect(reported.map(\.topic) == ["salons"])
        let expected = ListChange(changed: [id(2), id(4)], deleted: [id(3)])
        #expect(reported.first?.change == expected)
    }

    @Test("reports no list that was stored again without a change")
    func same() throws {
        try cache([salon(1)])
        let notifier = notifier()
        notifier.watch(["salons"])
        try cache([salon(1)])
        notifier.announce(nil)
        #expect(reports.take().isEmpty)
    }

    @Test("reports when a resource is first cached and when it is deleted")
    func empty() async throws {
        defer { pauses.cancelAll() }
        let notifier = notifier()
        notifier.watch(["salons", "menu"])
        try cache([salon(1)])
        try store.replace(
            "menu",
            with: Snapshot(payload: [1], savedAt: Timestamp(secondsSince1970: 0))
        )
        notifier.announce(nil)
        let first = reports.take()
        #expect(Set(first.map(\.topic)) == ["salons", "menu"])
        #expect(first.allSatisfy { $0.change == ListChange(isAll: true) })
        try store.removeAll()
        notifier.announce(nil)
        await endPause(2)
        var topics: Set<String> = []
        while topics.count < 2 { topics.insert(try await nextReport().topic) }
        #expect(topics == ["salons", "menu"])
    }

    @Test("reports only the elements of a resource that have changed")
    func elements() throws {
        defer { pauses.cancelAll() }
        let lower = "5a100000-0000-4000-8000-00000000abcd"
        let other = "5a100000-0000-4000-8000-00000000abce"
        let (first, second) = (try #require(SalonID(lower)), try #require(SalonID(other)))
        func salon(_ id: SalonID, _ name: String) -> Salon {
            Salon(id: id, name: name, location: "x", hours: Samples.salon().hours)
        }
        try cache([salon(first, "a"), salon(second, "a")])
        let notifier = notifier()
        let upper = "salons/\(lower.uppercased())"
        notifier.watch(["salons", upper, "salons/\(other)", "salonsish"])
        try cache([salon(first, "b"), salon(second, "a")])
        notifier.announce("salons")
        let reported = reports.take()
        #expect(Set(reported.map(\.topic)) == ["salons", upper])
        for report in reported { #expect(report.change.changed.map(\.description) == [lower]) }
    }

    @Test("reports each appointment by an id in lower case, whatever the server's letter case is")
    func letterCase() throws {
        defer { pauses.cancelAll() }
        let upper = "5A100000-0000-4000-8000-00000000ABCD"
        func list(_ ids: String...) -> Snapshot {
            let appointments = ids.map { id in
                #"{"id":"\#(id)","salonId":"\#(upper)","phone":"12345","#
                    + #""appointmentTime":"2030-01-01T10:00:00+0000"}"#
            }
            let text = "{\"appointments\":[\(appointments.joined(separator: ","))]}"
            return Snapshot(payload: Array(text.utf8), savedAt: Timestamp(secondsSince1970: 0))
        }
        try store.replace("appointments", with: list(upper, "Own-Id"))
        let notifier = notifier()
        notifier.watch(["appointments/\(upper)", "appointments/own-id"])
        try store.replace("appointments", with: list())
        notifier.announce("appointments")
        let reported = reports.take()
        #expect(reported.map(\.topic) == ["appointments/\(upper)"])
        #expect(
            Set(reported[0].change.deleted.map(\.description))
                == ["5a100000-0000-4000-8000-00000000abcd", "Own-Id"]
        )
    }

    @Test("reports several changes within 250 ms together, in a second report")
    func merged() async throws {
        defer { pauses.cancelAll() }
        try cache([salon(1), salon(2)])
        let notifier = notifier()
        notifier.watch(["salons"])
        for (number, list) in [[salon(1, "b"), salon(2)], [salon(2, "b"), salon(3)], [salon(3)]]
            .enumerated()
        {
            try cache(list)
            notifier.announce("salons")
            #expect(reports.take().count == (number == 0 ? 1 : 0))
        }
        await endPause(1)
        #expect(
            try await nextReport().change == ListChange(changed: [id(3)], deleted: [id(1), id(2)])
        )
        #expect(pauses.requested.allSatisfy { $0 == .milliseconds(250) })
        // The second report is followed by a pause, too.
        await endPause(2)
        #expect(reports.take().isEmpty)
    }

    @Test("retains the state of a topic when others are added, and stops watching removed topics")
    func rewatched() throws {
        defer { pauses.cancelAll() }
        try cache([salon(1)])
        let notifier = notifier()
        notifier.watch(["salons"])
        try cache([salon(1, "b")])
        notifier.watch(["salons", "menu"])
        notifier.announce("salons")
        #expect(reports.take().map(\.topic) == ["salons"])
        notifier.watch(["menu"])
        try cache([salon(1, "c")])
        notifier.announce("salons")
        #expect(reports.take().isEmpty)
    }
}
