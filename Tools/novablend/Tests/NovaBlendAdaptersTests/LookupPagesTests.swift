import Domain
import DomainTestSupport
import Networking
import NovaBlendAccounts
import Synchronization
import Testing
import WebPrimitives

@testable import NovaBlendAdapters

@Suite("A lookup in several pages", .timeLimit(.minutes(10)))
struct LookupPagesTests {
    private typealias Response = PageServer.Response

    private func page(
        _ appointments: String,
        next: String? = nil,
        headers: [String] = [],
        more: String = ""
    ) -> Response {
        let link = next.map { ["Link: <\($0)>; rel=next"] } ?? []
        return Response(
            headers: headers + link,
            body: #"{"appointments":[\#(appointments)]\#(more)}"#
        )
    }

    private func lookUp(
        _ server: PageServer
    ) async throws(Failure) -> ReportedAppointments {
        try await api(server).lookUp()
    }

    private func api(_ server: PageServer) -> HTTPBookingAPI {
        var endpoints = Endpoints()
        endpoints.appointments = server.origin + "/list"
        let client = CurlHTTPClient()
        return HTTPBookingAPI(
            endpoints: endpoints,
            sender: client,
            reader: client,
            limits: ListLimits(maximumBytes: 10_000),
            credential: "none",
            counter: InMemoryChangeCounter()
        )
    }

    @Test("is complete after the last page, and each page has the same unique parameter")
    func complete() async throws {
        let server = try PageServer { target, _ in
            target.contains("cursor")
                ? page(#"{"id":"b"}"#) : page(#"{"id":"a"}"#, next: "?cursor=2")
        }
        let first = try await lookUp(server)
        #expect(first.isComplete && first.appointments.map(\.id) == ["a", "b"])
        #expect(try await lookUp(server).isComplete)
        let targets = server.targets
        try #require(targets.count == 4)
        let values = targets.map { $0.split(separator: "fresh=").last ?? "" }
        #expect(values[0] == values[1] && values[2] == values[3] && values[0] != values[2])
        #expect(targets[1].hasPrefix("/list?cursor=2&fresh="))
        #expect(server.heads.allSatisfy { $0.contains("Cache-Control: no-cache\r\n") })
    }

    @Test("is incomplete if a page may come from a cache", arguments: [1, 2])
    func age(cached: Int) async throws {
        let server = try PageServer { target, _ in
            let number = target.contains("cursor") ? 2 : 1
            return page(
                #"{"id":"a"}"#,
                next: number == 1 ? "?cursor=2" : nil,
                headers: number == cached ? ["Age: 1"] : []
            )
        }
        #expect(try await !lookUp(server).isComplete)
    }

    @Test("may precede its request if a page has the age 0", arguments: [1, 2, 3])
    func ageZero(forwarded: Int) async throws {
        let server = try PageServer { target, _ in
            let number = target.contains("cursor") ? 2 : 1
            return page(
                #"{"id":"a"}"#,
                next: number == 1 ? "?cursor=2" : nil,
                headers: number == forwarded ? ["Age: 0"] : []
            )
        }
        let list = try await lookUp(server)
        #expect(list.isComplete && list.mayPrecedeRequest == (forwarded < 3))
    }

    /// A server whose response number `n`, from 0, has a `Date` that is `lags[n]` seconds in the past.
    private func server(lags: [Int]) throws -> PageServer {
        let count = Mutex(0)
        return try PageServer { _, _ in
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            let now = SystemRetryClock().date.secondsSince1970
            let date = HTTPDate(secondsSince1970: now - lags[number])
            return page(#"{"id":"a"}"#, headers: ["Date: \(date)"])
        }
    }

    @Test("must be repeated if Date is old, and is incomplete if it does not advance")
    func storedCopy() async throws {
        let server = try server(lags: [3_600, 3_603, 3_700])
        defer { withExtendedLifetime(server) {} }
        let api = api(server)
        let first = try await api.lookUp()
        #expect(first.mayPrecedeRequest && first.isComplete)
        for _ in 1...2 {
            let list = try await api.lookUp()
            #expect(!list.isComplete && list.appointments.map(\.id) == ["a"])
        }
    }

    @Test(
        "is complete if the server's clock is behind or ahead, but runs",
        arguments: [3_600, 30, -3_600]
    )
    func wrongClock(lag: Int) async throws {
        let server = try server(lags: [lag, lag, lag])
        defer { withExtendedLifetime(server) {} }
        let api = api(server)
        #expect(try await api.lookUp().mayPrecedeRequest == (lag == 3_600))
        for _ in 1...2 {
            let list = try await api.lookUp()
            #expect(list.isComplete && !list.mayPrecedeRequest)
        }
    }

    @Test("is incomplete if the server rejects the unique parameter on a page", arguments: [1, 2])
    func rejected(page rejecting: Int) async throws {
        let server = try PageServer { target, _ in
            let number = target.contains("cursor") ? 2 : 1
            if number == rejecting, target.contains("fresh") { return Response(status: 422) }
            return page(#"{"id":"\#(number)"}"#, next: number == 1 ? "?cursor=2" : nil)
        }
        let list = try await lookUp(server)
        #expect(!list.isComplete && list.appointments.map(\.id) == ["1", "2"])
        #expect(server.heads.count == 3)
    }

    @Test("is incomplete if a link cannot be read")
    func malformedLink() async throws {
        let server = try PageServer { _, _ in page("", headers: ["Link: </2; rel=next"]) }
        #expect(try await !lookUp(server).isComplete)
        let readable = try PageServer { _, _ in page("", headers: ["Link: </2>; rel=last"]) }
        #expect(try await lookUp(readable).isComplete)
    }

    @Test("is incomplete if an appointment without an id may be on two pages")
    func withoutID() async throws {
        let booking = #"{"phone":"12345"}"#
        let server = try PageServer { target, _ in
            page(booking, next: target.contains("cursor") ? nil : "?cursor=2")
        }
        let list = try await lookUp(server)
        #expect(!list.isComplete && list.appointments.count == 1)
    }

    @Test("fails if a page fails")
    func failed() async throws {
        let server = try PageServer { target, _ in
            target.contains("cursor") ? Response(status: 500) : page("", next: "?cursor=2")
        }
        await #expect(throws: Failure.self) { try await lookUp(server) }
    }

    @Test("belongs to the subject of its pages, and fails if they have different ones")
    func subject() async throws {
        let pages = try server([nil, nil])
        #expect(try await lookUp(pages).caller.subject == nil)
        for subjects in [["a", "a"], ["a", nil], [nil, "a"]] as [[String?]] {
            let server = try server(subjects)
            let hash = KnownSubjects.pseudonym(of: "a", at: server.origin + "/list")
            #expect(try await lookUp(server).caller.subject == hash && hash != "a")
        }
        await #expect(throws: Failure.self) { try await lookUp(try server(["a", "b"])) }
    }

    private func server(_ subjects: [String?]) throws -> PageServer {
        try PageServer { target, _ in
            let isFirst = !target.contains("cursor")
            let subject = subjects[isFirst ? 0 : 1].map { #","subject":"\#($0)""# } ?? ""
            return page("", next: isFirst ? "?cursor=2" : nil, more: subject)
        }
    }
}
