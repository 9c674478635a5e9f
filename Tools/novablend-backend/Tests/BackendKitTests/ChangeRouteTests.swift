import BookingStorage
import BookingStorageTestSupport
import Domain
import Foundation
import HTTPServing
import SystemTestSupport
import Testing

@testable import BackendKit

@Suite("The route of changes", .timeLimit(.minutes(10)))
struct ChangeRouteTests {
    private let server: AlwaysOpenBackend

    init() throws { server = try AlwaysOpenBackend() }

    private func cursor(_ server: AlwaysOpenBackend? = nil) throws -> String {
        let response = try #require(get("", server))
        #expect(response.status == 200 && response.header("cache-control") == "no-store")
        let text = try #require(response.body.firstMatch(of: /^{"cursor":"([A-Za-z0-9_-]+)"}$/))
        return String(text.output.1)
    }

    private func get(_ query: String, _ other: AlwaysOpenBackend? = nil) -> Response? {
        exchange((other ?? server).port, "GET /changes\(query)")
    }

    private func unchanged(_ cursor: String) -> String {
        #"{"cursor":"\#(cursor)","more":false,"salons":[],"appointments":[],"deleted":[]}"#
    }

    @Test("an appointment occurs once, in its present state, and a deleted salon by its id")
    func changes() throws {
        defer { server.backend.stop() }
        let start = try cursor()
        let booked = try server.book(try AlwaysOpenBackend.time(0))
        #expect(server.delete(booked.id)?.status == 200)
        let other = SalonID(high: 1, low: 2)
        var salon = AlwaysOpenBackend.salon()
        salon.name = "changed"
        #expect(server.put(salon)?.status == 200)
        salon.id = other
        #expect(server.put(salon, isNew: true)?.status == 201)
        let deletion = exchange(server.port, "DELETE /salons/\(other)", headers: ["If-Match: *"])
        #expect(deletion?.status == 204)
        let body = try #require(get("?since=\(start)")).body
        let appointment = try #require(server.get(booked.id)).body
        let stored = try #require(
            exchange(server.port, "GET /salons/\(AlwaysOpenBackend.id)")
        ).body
        #expect(appointment.contains(#""status":"cancelled""#))
        #expect(
            body.hasSuffix(
                #""salons":[\#(stored)],"appointments":[\#(appointment)],"#
                    + #""deleted":[{"kind":"salon","id":"\#(other)"}]}"#
            )
        )
        let now = try cursor()
        #expect(body.hasPrefix(#"{"cursor":"\#(now)","#))
        #expect(get("?since=\(now)")?.body == unchanged(now))
    }

    @Test("kinds limits a response, and its cursor is after the changes of the other kind")
    func kinds() throws {
        defer { server.backend.stop() }
        let start = try cursor()
        let booked = try server.book(try AlwaysOpenBackend.time(0))
        let now = try cursor()
        #expect(get("?since=\(start)&kinds=salons")?.body == unchanged(now))
        for kinds in ["appointments", "appointments,salons", "salons,appointments,salons"] {
            let body = get("?since=\(start)&kinds=\(kinds)")?.body
            #expect(body?.contains(booked.id ?? "-") == true, "\(kinds)")
        }
        for kinds in ["", "salon", "salons,", ",salons", "Salons", "salons appointments"] {
            let query = kinds.replacing(" ", with: "%20")
            let response = try #require(get("?since=\(start)&kinds=\(query)"))
            #expect(response.status == 422, "\(kinds)")
            #expect(try response.errorBody().name == "invalidPage")
        }
    }

    @Test("the first page of a list has a cursor from before it, and the others have none")
    func lists() throws {
        defer { server.backend.stop() }
        let empty = try cursor()
        for path in ["/salons", "/appointments?limit=1"] {
            #expect(exchange(server.port, "GET \(path)")?.header("changes-cursor") == empty)
        }
        for hour in 0..<2 { _ = try server.book(try AlwaysOpenBackend.time(60 * hour)) }
        let page = try #require(exchange(server.port, "GET /appointments?limit=1"))
        #expect(try page.header("changes-cursor") == cursor())
        let link = try #require(page.header("link")?.firstMatch(of: /<([^>]*)>/)).output.1
        let second = try #require(exchange(server.port, "GET /appointments\(link)"))
        #expect(second.status == 200 && second.header("changes-cursor") == nil)
        let tag = try #require(page.header("etag"))
        let same = exchange(
            server.port,
            "GET /appointments?limit=1",
            headers: ["If-None-Match: \(tag)"]
        )
        #expect(try same?.status == 304 && same?.header("changes-cursor") == cursor())
    }

    @Test("the longest wait is 25 seconds, and no wait is 0")
    func waits() async throws {
        defer { server.backend.stop() }
        let start = try cursor()
        _ = try server.book(try AlwaysOpenBackend.time(0))
        let now = try cursor()
        for wait in ["0", "1", "25"] {
            let response = get("?since=\(start)&wait=\(wait)")
            #expect(response?.status == 200 && response?.body.contains(now) == true)
        }
        for cursor in ["wait=", "since=\(start)&wait="] {
            for wait in ["26", "-1", "", "x", "1.5", "99999999999999999999"] {
                let response = try #require(get("?\(cursor)\(wait)"))
                #expect(response.status == 422)
                #expect(try response.errorBody().name == "invalidPage")
            }
        }
        #expect(get("?since=\(now)&wait=0")?.body == unchanged(now))
        #expect(get("?since=\(now)&wait=1")?.body == unchanged(now))
    }

    @Test("text that is not a cursor is 422")
    func garbage() throws {
        defer { server.backend.stop() }
        let text = try cursor()
        let other = AlwaysOpenBackend.salon()
        let page = PageCursor(salonID: other.id).text(for: .salons)
        let negative = ChangeCursor(epoch: "0123456789abcdef", number: -1).text(for: .administrator)
        let empty = ChangeCursor(epoch: "", number: 1).text(for: .administrator)
        let changed = (text.last == "A" ? "B" : "A") + text.dropFirst()
        let cut = String(text.dropLast())
        for garbage in ["", "0", "x y", text + "A", cut, changed, page, negative, empty] {
            let query = garbage.replacing(" ", with: "%20")
            let response = try #require(get("?since=\(query)&wait=25"))
            #expect(response.status == 422, "\(garbage)")
            #expect(try response.errorBody().name == "invalidPage")
        }
    }

    @Test("a cursor from the future or from a different database is 410")
    func tooOld() throws {
        defer { server.backend.stop() }
        let now = try ChangeCursor(try cursor(), for: .administrator)
        let later = ChangeCursor(epoch: now.epoch, number: now.number + 1)
        let last = ChangeCursor(epoch: now.epoch, number: .max)
        let text: (ChangeCursor) -> String = { $0.text(for: .administrator) }
        let other = try AlwaysOpenBackend()
        defer { other.backend.stop() }
        for text in [text(later), text(last), try cursor(other)] {
            for wait in [0, 25] {
                let response = try #require(get("?since=\(text)&wait=\(wait)"))
                #expect(response.status == 410)
                #expect(try response.errorBody().name == "cursorTooOld")
            }
        }
    }

    @Test("a page is limited in bytes, and the next request goes on where it ended")
    func pages() throws {
        defer { server.backend.stop() }
        var copy = try FeedCopy(port: server.port)
        let start = copy.cursor
        var salon = AlwaysOpenBackend.salon()
        for number in 0..<30 {
            salon.id = SalonID(high: 2, low: UInt64(number))
            salon.name = String(repeating: "a", count: 60_000)
            #expect(server.put(salon, isNew: true)?.status == 201)
        }
        let first = try #require(get("?since=\(start)&wait=25"))
        #expect((400_000..<600_000).contains(first.body.utf8.count))
        #expect(first.body.contains(#"","more":true,"salons":["#))
        try copy.follow()
        #expect(try copy.isCurrent())
    }

    @Test(
        "300 waiting clients are answered by a booking in this or a different process",
        arguments: [true, false]
    )
    func wakes(isSameProcess: Bool) async throws {
        let database = try TemporaryDatabase()
        let server = try AlwaysOpenBackend(database: database.path)
        // The second backend has its own connections, like a different process.
        let other = try AlwaysOpenBackend(database: database.path)
        defer { for server in [server, other] { server.backend.stop() } }
        let start = try cursor(server)
        let time = try AlwaysOpenBackend.time(0)
        let waiting = (0..<300).map { _ in
            { @Sendable in nextAppointments(server.port, since: start) }
        }
        let booking = { @Sendable () -> Response? in
            while server.backend.waitingCount < 300 { sched_yield() }
            return (isSameProcess ? server : other).post(time)
        }
        let responses = await concurrentResponses(waiting + [booking])
        #expect(responses.last??.status == 201)
        let bodies = Set(responses.dropLast().map { $0?.body })
        #expect(bodies.count == 1)
        let appointment = try #require(responses.last??.body)
        #expect(bodies.first??.contains(#""appointments":[\#(appointment)]"#) == true)
    }

    @Test("three quarters of the connections can wait, and the next client is asked to come later")
    func limit() async throws {
        server.backend.stop()
        var limits = ServerLimits()
        limits.maximumConnections = 8
        let backend = try Backend(database: ":memory:", limits: limits)
        let start = try #require(exchange(backend.port, "GET /changes")?.body)
        let cursor = try #require(start.firstMatch(of: /"cursor":"([^"]+)"/)).output.1
        let path = "GET /changes?since=\(cursor)&wait=25"
        async let responses = concurrentResponses(
            (0..<6).map { _ in { @Sendable in exchange(backend.port, path) } }
        )
        let deadline = ContinuousClock.now + .seconds(60)
        while backend.waitingCount < 6 {
            try #require(ContinuousClock.now < deadline)
            await Task.yield()
        }
        let rejected = try #require(exchange(backend.port, path))
        #expect(rejected.status == 503 && rejected.header("retry-after") == "5")
        #expect(try rejected.errorBody().name == "overloaded")
        #expect(exchange(backend.port, "GET /changes?since=\(cursor)")?.status == 200)
        backend.stop()
        for response in await responses { #expect(response?.status == 200) }
    }

    @Test("when the backend stops, waiting clients get their own cursor")
    func stops() async throws {
        let start = try cursor()
        async let responses = concurrentResponses(
            (0..<50).map { _ in { @Sendable in get("?since=\(start)&wait=25") } }
        )
        let deadline = ContinuousClock.now + .seconds(60)
        while server.backend.waitingCount < 50 {
            try #require(ContinuousClock.now < deadline)
            await Task.yield()
        }
        server.backend.stop()
        for response in await responses {
            #expect(response?.status == 200 && response?.body == unchanged(start))
            #expect(response?.header("connection")?.lowercased() == "close")
        }
    }

    @Test(
        "a copy that follows 20 random histories from a random step on equals the lists",
        arguments: 0..<10 as Range<UInt64>
    )
    func histories(block: UInt64) throws {
        server.backend.stop()
        for seed in (block * 20)..<(block * 20 + 20) {
            try checkHistory(seed)
        }
    }

    private func checkHistory(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let server = try AlwaysOpenBackend()
        defer { server.backend.stop() }
        let firstFollowed = Int.random(in: 0..<20, using: &random)
        var copy: FeedCopy?
        var ids: [String] = []
        for step in 0..<40 {
            let time = try AlwaysOpenBackend.time(30 * Int.random(in: 0..<40, using: &random))
            var salon = AlwaysOpenBackend.salon()
            salon.id = SalonID(high: 1, low: UInt64.random(in: 1...4, using: &random))
            salon.name = "name \(step)"
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<3:
                let response = try #require(server.post(time))
                if response.status == 201, let id = try response.appointment().id {
                    ids.append(id)
                }
            case 3: _ = server.patch(ids.randomElement(using: &random), to: time)
            case 4: _ = server.delete(ids.randomElement(using: &random))
            case 5: _ = server.put(salon, isNew: true)
            case 6: _ = server.put(salon)
            default:
                let headers = ["If-Match: *"]
                _ = exchange(server.port, "DELETE /salons/\(salon.id)", headers: headers)
            }
            if step == firstFollowed { copy = try FeedCopy(port: server.port) }
            try copy?.follow()
            let isCurrent = try copy?.isCurrent() ?? true
            try #require(isCurrent, "seed \(seed), step \(step)")
        }
    }
}
