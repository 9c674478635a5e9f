import Contract
import Domain
import DomainTestSupport
import Networking
import Persistence
import Synchronization
import SystemTestSupport
import Testing

@testable import NovaBlendAdapters

/// Every status with every content as the answer to the request of a list, and to the request of what
/// has changed in it.
@Suite("Whatever answers the request of a list or of its changes", .timeLimit(.minutes(10)))
struct ListProofTests {
    @Test("a load has the cached list or an error, and the cached list stays")
    func lists() async throws {
        let salons = try await ListProof.salons()
        let appointments = try await ListProof.appointments()
        let table = try await failures(in: Answer.all) { answer, _, table in
            for isCached in [true, false] {
                try await salons.checkList(answer, isCached: isCached, &table)
                try await appointments.checkList(answer, isCached: isCached, &table)
            }
        }
        #expect(table.count == 0, "\(table.text)")
    }

    @Test("a load has the server's list if only the feed of changes does not work")
    func feeds() async throws {
        let salons = try await ListProof.salons()
        let appointments = try await ListProof.appointments()
        let table = try await failures(in: Answer.all) { answer, _, table in
            // The list changes or not in turn: every status occurs with both, and with both lists.
            let hasChanged = answer.turn % 2 == 0
            try await salons.checkFeed(answer, hasChanged: hasChanged, &table)
            try await appointments.checkFeed(answer, hasChanged: !hasChanged, &table)
        }
        #expect(table.count == 0, "\(table.text)")
    }

    @Test("a list that waits for a change becomes the server's list if the feed does not work")
    func waiting() async throws {
        let salons = try await ListProof.salons()
        let appointments = try await ListProof.appointments()
        let table = try await failures(in: Answer.all) { answer, _, table in
            if answer.turn % 2 == 0 {
                try await salons.checkWaiting(answer, &table)
            } else {
                try await appointments.checkWaiting(answer, &table)
            }
        }
        #expect(table.count == 0, "\(table.text)")
    }
}

extension ListProof where Codec == EncodedListCodec<SalonListCodec> {
    fileprivate static func salons() async throws -> Self {
        func list(_ numbers: ClosedRange<Int>) -> String {
            let salons = numbers.map {
                #"{"id":"00000000-0000-0000-0000-00000000000\#($0)","name":"Salon \#($0)","#
                    + #""location":"Street","open_time":9.0,"close_time":18.0}"#
            }
            return #"{"salons":["# + salons.joined(separator: ",") + "]}"
        }
        return try await Self(
            kind: "salon",
            policy: .salons,
            empty: EncodedList([]),
            old: list(1...2),
            new: list(2...4)
        ) { list in
            (try? list.models().map { String($0.id.description.suffix(1)) }.joined())
                ?? "unreadable"
        }
    }
}

extension ListProof where Codec == AppointmentListCodec {
    fileprivate static func appointments() async throws -> Self {
        func list(_ numbers: ClosedRange<Int>) -> String {
            let appointments = numbers.map {
                #"{"id":"\#($0)","salonId":"00000000-0000-0000-0000-000000000001","#
                    + #""appointmentTime":"2024-10-2\#($0)T12:00:00Z","phone":"030 1234567"}"#
            }
            return #"{"appointments":["# + appointments.joined(separator: ",") + "]}"
        }
        return try await Self(
            kind: "appointment",
            policy: .appointments,
            empty: [],
            old: list(1...2),
            new: list(2...4)
        ) { $0.map { $0.id ?? "?" }.joined() }
    }
}

/// A list with its real adapters and files. The cached list has the elements 1 and 2, and the
/// server's list has 2, 3, and 4.
private struct ListProof<Codec: PagedCodec>: Sendable {
    static var cached: String { "12" }
    static var current: String { "234" }

    private let kind: String
    private let policy: CachePolicy
    private let empty: Codec.Model
    private let old, new: String
    /// The numbers of the elements of a list.
    private let numbers: @Sendable (Codec.Model) -> String
    /// The file of the cached list.
    private var file: [UInt8] = []

    private var name: String { kind + "s" }
    private var url: String { "http://salons.example/\(name)" }

    init(
        kind: String,
        policy: CachePolicy,
        empty: Codec.Model,
        old: String,
        new: String,
        _ numbers: @escaping @Sendable (Codec.Model) -> String
    ) async throws {
        (self.kind, self.policy, self.empty) = (kind, policy, empty)
        (self.old, self.new, self.numbers) = (old, new, numbers)
        let directory = try TemporaryDirectory(inMemory: true)
        let server = ListServer(list: old, entityTag: "\"old\"")
        _ = try await loader(server, directory).load()
        file = try directory.bytes("\(name).snapshot")
    }

    private func loader(
        _ server: ListServer,
        _ directory: TemporaryDirectory
    ) -> ResourceLoader<Codec.Model> {
        let limits = ListLimits(maximumBytes: 1 << 20)
        let clock = ManualClock()
        let store = FileSnapshotStore(directory: directory.path)
        let cache = StoredResource<Codec>(name: name, url: url, store: store)
        let feed = HTTPChangeFeed(
            url: "http://salons.example/changes",
            client: server,
            waiter: server,
            limits: limits
        )
        return ResourceLoader(
            policy: policy,
            server: HTTPResource<Codec>(url: url, client: server, limits: limits),
            cache: cache,
            clock: clock,
            emptyValue: empty,
            follower: FollowedList(cache, feed: feed, kind: kind, clock: clock)
        )
    }

    private func directory(isCached: Bool) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory(inMemory: true)
        if isCached { try directory.write(file, to: "\(name).snapshot") }
        return directory
    }

    /// The numbers of the elements of the cached list; nil if there is none.
    private func stored(in directory: TemporaryDirectory) -> String? {
        let store = FileSnapshotStore(directory: directory.path)
        let cache = StoredResource<Codec>(name: name, url: url, store: store)
        return (try? cache.retrieve()).flatMap { $0.map { numbers($0.value) } }
    }

    func checkList(_ answer: Answer, isCached: Bool, _ table: inout FailureTable) async throws {
        let directory = try directory(isCached: isCached)
        let server = ListServer(list: new, entityTag: "\"new\"", listAnswer: answer)
        func fail(_ problem: String) {
            table.add(name, answer, isCached ? "cached" : "nothing cached", problem)
        }
        do {
            let loaded = try await loader(server, directory).load()
            let list = numbers(loaded.value)
            let source = loaded.provenance.source
            let isHonest =
                source == .cache && loaded.provenance.serverError != nil
                || source == .revalidated && answer.status == 304
            if !isHonest || list != Self.cached {
                fail("the list [\(list)], source \(source)")
            }
        } catch .connectivity {
            fail("an answer counts as no connection")
        } catch .cache {
            fail("an error of the cache")
        } catch {}
        let kept = stored(in: directory)
        if kept != (isCached ? Self.cached : nil) {
            fail("then [\(kept ?? "nothing")] is cached")
        }
    }

    func checkFeed(_ answer: Answer, hasChanged: Bool, _ table: inout FailureTable) async throws {
        let directory = try directory(isCached: true)
        let server =
            hasChanged
            ? ListServer(list: new, entityTag: "\"new\"", feedAnswer: answer)
            : ListServer(list: old, entityTag: "\"old\"", feedAnswer: answer)
        func fail(_ problem: String) {
            table.add(name, answer, hasChanged ? "changed" : "unchanged", problem)
        }
        let expected = hasChanged ? Self.current : Self.cached
        let loader = loader(server, directory)
        for call in ["first", "second"] {
            do {
                let loaded = try await loader.load()
                let (list, source) = (numbers(loaded.value), loaded.provenance.source)
                if list != expected || !source.isCurrent {
                    fail("\(call) call: the list [\(list)], source \(source)")
                }
            } catch {
                fail("\(call) call: \(Self.name(of: error))")
            }
        }
        let kept = stored(in: directory)
        if kept != expected {
            fail("then [\(kept ?? "nothing")] is cached")
        }
        if server.feedRequests == 0 { fail("no request") }
    }

    func checkWaiting(_ answer: Answer, _ table: inout FailureTable) async throws {
        let directory = try directory(isCached: true)
        let server = ListServer(list: new, entityTag: "\"new\"", feedAnswer: answer)
        func fail(_ problem: String) { table.add(name, answer, "changed", problem) }
        do {
            _ = try await loader(server, directory).update(waiting: .seconds(1))
        } catch {
            fail("\(Self.name(of: error))")
        }
        let kept = stored(in: directory)
        if kept != Self.current {
            fail("then [\(kept ?? "nothing")] is cached")
        }
    }

    private static func name(of error: Failure) -> String {
        switch error {
        case .cache: "an error of the cache"
        case .connectivity: "no connection"
        case .unavailable: "unavailable"
        case .notAuthenticated: "not authenticated"
        case .notAllowed: "not allowed"
        case .invalidData: "invalid data"
        default: "\(error)"
        }
    }
}

/// A server with a list and a feed of its changes, and a client that sends it requests. Each of the two
/// may have an answer of the test's choice.
private final class ListServer: HTTPClient {
    private let list, entityTag: String
    private let listAnswer, feedAnswer: Answer?
    private let count = Mutex(0)

    init(
        list: String,
        entityTag: String,
        listAnswer: Answer? = nil,
        feedAnswer: Answer? = nil
    ) {
        (self.list, self.entityTag) = (list, entityTag)
        (self.listAnswer, self.feedAnswer) = (listAnswer, feedAnswer)
    }

    /// The number of requests to the feed.
    var feedRequests: Int { count.withLock(\.self) }

    func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        if request.url.contains("/changes") {
            count.withLock { $0 += 1 }
            return feedAnswer?.response(to: request) ?? HTTPResponse(status: 404, url: request.url)
        }
        if let listAnswer { return listAnswer.response(to: request) }
        let headers: HTTPHeaders = ["ETag": entityTag, "Changes-Cursor": "1"]
        if request.headers["If-None-Match"] == entityTag {
            return HTTPResponse(status: 304, headers: headers, url: request.url)
        }
        return HTTPResponse(
            status: 200,
            headers: headers,
            body: Array(list.utf8),
            url: request.url
        )
    }
}
