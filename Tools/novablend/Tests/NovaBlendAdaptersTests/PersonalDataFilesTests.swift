import Contract
import Domain
import DomainTestSupport
import Foundation
import Networking
import Persistence
import PersistenceTestSupport
import SystemTestSupport
import Testing

@testable import NovaBlendAdapters

@Suite("The files with personal data of all accounts")
struct PersonalDataFilesTests {
    private let directory: TemporaryDirectory
    private let clock = ManualClock()

    init() throws { directory = try TemporaryDirectory() }

    private var cacheDirectory: String { directory.path + "/cache" }
    private var stateDirectory: String { directory.path + "/state" }

    private func files(_ clock: ManualClock? = nil) -> PersonalDataFiles {
        PersonalDataFiles(
            cacheDirectory: cacheDirectory,
            stateDirectory: stateDirectory,
            clock: clock ?? self.clock
        )
    }

    private func store(_ account: String) -> FileSnapshotStore {
        FileSnapshotStore(directory: cacheDirectory, subdirectory: "accounts/\(account)")
    }

    private func list(_ account: String) -> StoredResource<AppointmentListCodec> {
        StoredResource(name: "appointments", url: "https://a.test/", store: store(account))
    }

    private func journal(_ account: String) -> FileBookingJournal {
        let subdirectory = "accounts/\(account)"
        return FileBookingJournal(
            directory: stateDirectory,
            subdirectory: subdirectory,
            clock: clock
        )
    }

    private static func appointment(_ number: UInt8, phone: String) -> Appointment {
        var appointment = Samples.appointment(number)
        appointment.booking.phone = phone
        return appointment
    }

    /// Caches two appointments of different customers, as they were confirmed now.
    private func fill(_ account: String) throws {
        let cached = CachedValue(
            value: [Samples.appointment(1), Self.appointment(2, phone: "+49 30 7654321")],
            fetchedAt: clock.now,
            validators: "v1",
            cursor: "c1"
        )
        try list(account).replace(with: cached)
    }

    private func begin(_ key: String, _ account: String) throws {
        let intent = BookingIntent(
            key: key,
            action: .book(Samples.booking()),
            createdAt: clock.now,
            caller: Samples.caller
        )
        _ = try journal(account).begin(intent, joiningSameBooking: false)
    }

    /// The files that contain the text.
    private func places(_ text: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: directory.path).filter { name in
            let bytes = FileManager.default.contents(atPath: "\(directory.path)/\(name)") ?? Data()
            return bytes.firstRange(of: Data(text.utf8)) != nil
        }.sorted()
    }

    @Test("erasing a customer removes the data from the lists of all accounts, and no one else's")
    func erase() throws {
        for account in ["a", "b"] { try fill(account) }
        try begin("open", "b")
        let before = FileChangeCounter(directory: stateDirectory, subdirectory: "accounts/a").value
        let dry = files().erase(customer: "0301234567", isDryRun: true)
        #expect(try places("1234567").count == 3)
        let erased = files().erase(customer: "0301234567")
        for result in [dry, erased] {
            #expect(result.map(\.account) == ["a", "b"] && result.map(\.appointments) == [1, 1])
            #expect(result.map { $0.open.map(\.key) } == [[], ["open"]])
            #expect(result.allSatisfy { $0.problems.isEmpty && $0.bookings == 0 })
        }
        #expect(try places("1234567") == ["state/accounts/b/bookings.journal"])
        #expect(try places("7654321").count == 2)
        let rest = try #require(try list("a").retrieve())
        #expect(rest.value.map(\.booking.phone) == ["+49 30 7654321"])
        // The list is loaded again as a whole, and one that is being loaded now is not stored.
        #expect(!rest.isComplete && rest.cursor == nil && list("a").validators() == nil)
        let after = FileChangeCounter(directory: stateDirectory, subdirectory: "accounts/a").value
        #expect(after == before + 1)
    }

    @Test("erasing also removes what was replaced or deleted by an appended change")
    func appended() throws {
        try fill("a")
        let record = ListRecord<AppointmentListCodec>(cursor: "c2", deleted: [ElementKey("a1-0")])
        let state = try #require(list("a").state())
        #expect(try list("a").append(record, after: state, fetchedAt: clock.now))
        #expect(try places("1234567").count == 1)
        #expect(files().erase(customer: "+49 30 1234567").isEmpty)
        #expect(try places("1234567").isEmpty)
        let rest = try #require(try list("a").retrieve())
        #expect(rest.value.count == 1 && rest.isComplete && rest.cursor == "c2")
    }

    @Test("a list or a journal that cannot be read is not passed over in silence")
    func damaged() throws {
        for account in ["a", "b"] { try fill(account) }
        let garbage = Data("garbage with 49301234567".utf8)
        let file = cacheDirectory + "/accounts/a/appointments.snapshot"
        try garbage.write(to: URL(filePath: file))
        try begin("open", "b")
        let journal = stateDirectory + "/accounts/b/bookings.journal"
        try garbage.write(to: URL(filePath: journal))
        #expect(files().erase(customer: "1234567", isDryRun: true).map(\.damagedFiles) == [1, 0])
        let erased = files().erase(customer: "1234567")
        #expect(erased.map(\.damagedFiles) == [1, 0] && erased[1].appointments == 1)
        #expect(erased[0].problems.isEmpty && erased[1].problems.first?.contains(journal) == true)
        #expect(try places("49301234567") == ["state/accounts/b/bookings.journal"])
    }

    @Test("what expires does so at the first run after 30 days, and a run before looks at no file")
    func expiry() throws {
        try begin("k", "a")
        let day: Int64 = 86_400
        files().removeExpired()
        for seconds in [29 * day, day - 1] {
            clock.advance(bySeconds: seconds)
            files().removeExpired()
            #expect(try places("1234567") == ["state/accounts/a/bookings.journal"])
        }
        clock.advance(bySeconds: 1)
        files().removeExpired()
        #expect(try places("1234567").isEmpty && journal("a").pending().map(\.key) == ["k"])
    }

    @Test("a list that no server has confirmed for 30 days has times, but no contact data")
    func oldList() throws {
        try fill("a")
        try fill("b")
        clock.advance(bySeconds: 86_400)
        let cached = try #require(try list("b").retrieve())
        var confirmed = cached
        confirmed.fetchedAt = clock.now
        #expect(try list("b").confirm(confirmed) { true })
        clock.advance(bySeconds: 29 * 86_400)
        files().removeExpired()
        #expect(try places("1234567") == ["cache/accounts/b/appointments.snapshot"])
        let rest = try #require(try list("a").retrieve())
        #expect(rest.value.map(\.id) == cached.value.map(\.id) && !rest.isComplete)
        #expect(rest.value.map(\.booking.phone) == ["", ""] && rest.cursor == nil)
        #expect(rest.value.map(\.booking.time) == cached.value.map(\.booking.time))
        #expect(list("a").validators() == nil)
        #expect(try #require(try list("b").retrieve()).value == cached.value)
    }

    @Test("a clock that was ahead delays nothing, and without accounts, nothing is written")
    func clocks() throws {
        files().removeExpired()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
        try begin("k", "a")
        let ahead = ManualClock(clock.now.advanced(bySeconds: 20 * 86_400))
        files(ahead).removeExpired()
        #expect(try places("1234567").count == 1)
        clock.advance(bySeconds: 10 * 86_400)
        files().removeExpired()
        clock.advance(bySeconds: 20 * 86_400)
        files().removeExpired()
        #expect(try places("1234567").isEmpty)
    }
}

@Suite("A deletion in the feed", .timeLimit(.minutes(10)))
struct FeedDeletionTests {
    @Test("removes the appointment from the file at once, and its damaged copies")
    func deleted() async throws {
        let directory = try TemporaryDirectory()
        let server = try PageServer { target, _ in
            guard target.contains("since") else {
                let appointments = [Samples.appointment(1), Samples.appointment(2)]
                let body = AppointmentListCodec.encode(appointments)
                return PageServer.Response(
                    headers: ["Changes-Cursor: 1"],
                    body: String(decoding: body, as: UTF8.self)
                )
            }
            let deleted = #"{"kind":"appointment","id":"a1-0"}"#
            return PageServer.Response(
                body: #"{"cursor":"2","more":false,"salons":[],"appointments":[],"#
                    + #""deleted":[\#(deleted)]}"#
            )
        }
        let (store, client) = (FileSnapshotStore(directory: directory.path), CurlHTTPClient())
        let subjects = KnownSubjects(store: InMemorySnapshotStore()) { Array("secret".utf8) }
        let cache = StoredResource<AppointmentListCodec>(
            name: "appointments",
            url: server.origin + "/appointments",
            store: store,
            subjects: subjects
        )
        let limits = ListLimits(maximumBytes: 1 << 20)
        let (feed, clock) = (
            HTTPChangeFeed(
                url: server.origin + "/changes",
                client: client,
                waiter: client,
                limits: limits
            ), ManualClock()
        )
        let loader = ResourceLoader(
            policy: .appointments,
            server: HTTPResource<AppointmentListCodec>(
                url: server.origin + "/appointments",
                client: client,
                limits: limits
            ),
            cache: cache,
            clock: clock,
            emptyValue: [],
            follower: FollowedList(cache, feed: feed, kind: "appointment", clock: clock) {
                _ = try? store.removeQuarantined("appointments")
            }
        )
        #expect(try await loader.load().value.count == 2)
        let (file, copy) = ("appointments.snapshot", "appointments.snapshot.damaged-1")
        try directory.write(try directory.bytes(file), to: copy)
        #expect(try await loader.load().value == [Samples.appointment(2)])
        let text = String(decoding: try directory.bytes(file), as: UTF8.self)
        #expect(!text.contains("a1-0") && text.contains("a2-0"))
        #expect(try !directory.entries().contains(copy))
        let cached = try #require(try cache.retrieve())
        #expect(cached.isComplete && cached.cursor == "2" && cached.value.count == 1)
    }
}
