import Domain
import DomainTestSupport
import Networking
import NovaBlendAccounts
import Testing

@testable import NovaBlendAdapters

@Suite("The slots of a server in several pages", .timeLimit(.minutes(1)))
struct SlotPagesTests {
    private typealias Response = PageServer.Response

    private let start = Samples.booking().time

    /// A page with the slots of these half hours after the start, of which those in `taken` are not
    /// available.
    private static func page(
        _ numbers: Range<Int>,
        taken: Set<Int> = [],
        salonVersion: Int? = nil,
        next: String? = nil
    ) -> Response {
        let slots = numbers.map { number in
            let times = [number, number + 1].map { "2024-10-\(20 + $0 / 48)T\(time($0))+0000" }
            let isAvailable = !taken.contains(number)
            return #"{"start":"\#(times[0])","end":"\#(times[1])","available":\#(isAvailable)}"#
        }
        let version = salonVersion.map { #","salonVersion":\#($0)"# } ?? ""
        return Response(
            headers: next.map { ["Link: <\($0)>; rel=\"next\""] } ?? [],
            body: #"{"slots":[\#(slots.joined(separator: ","))]\#(version)}"#
        )
    }

    private static func time(_ number: Int) -> String {
        let hour = number % 48 / 2
        return "\(hour < 10 ? "0" : "")\(hour):\(number % 2 == 0 ? "00" : "30"):00"
    }

    private func api(_ server: PageServer) -> HTTPBookingAPI {
        let client = CurlHTTPClient()
        return HTTPBookingAPI(
            endpoints: Endpoints(base: server.origin),
            sender: client,
            reader: client,
            limits: ListLimits(maximumBytes: 10_000),
            credential: "none",
            counter: InMemoryChangeCounter()
        )
    }

    private func slots(
        _ server: PageServer,
        enough: Int? = nil
    ) async throws(Failure) -> OfferedSlots {
        try await api(server).slots(
            SlotRequest(
                salonID: Samples.salonID(),
                start: start,
                end: start.advanced(byMinutes: 1_440),
                isExplained: true,
                enough: enough
            )
        )
    }

    /// A server with three pages of four slots.
    private func server(taken: Set<Int> = []) throws -> PageServer {
        try PageServer { target, _ in
            switch target.split(separator: "?start=").last {
            case "2": Self.page(28..<32, taken: taken, salonVersion: 1, next: "?start=3")
            case "3": Self.page(32..<36, taken: taken, salonVersion: 2)
            default: Self.page(24..<28, taken: taken, salonVersion: 1, next: "?start=2")
            }
        }
    }

    @Test("are all requested, and the last page states the version of the salon")
    func all() async throws {
        let server = try server()
        guard case .slots(let list) = try await slots(server) else {
            Issue.record("no slots")
            return
        }
        #expect(list.salonVersion == 2)
        #expect(list.slots.map(\.start) == (0..<12).map { start.advanced(byMinutes: 30 * $0) })
        let path = "/salons/\(Samples.salonID())/availability?start="
        #expect(server.targets.allSatisfy { $0.hasPrefix(path) } && server.targets.count == 3)
        #expect(server.heads.allSatisfy { $0.contains("Cache-Control: no-cache\r\n") })
    }

    @Test(
        "are requested until enough of them are available",
        arguments: [(4, [], 1), (5, [], 2), (4, [25], 2), (4, Set(24..<32), 3), (9, [], 3)]
            as [(Int, Set<Int>, Int)]
    )
    func enough(count: Int, taken: Set<Int>, pages: Int) async throws {
        let server = try server(taken: taken)
        _ = try await slots(server, enough: count)
        #expect(server.heads.count == pages)
    }

    @Test("include the alternatives to a taken time on a later page")
    func alternatives() async throws {
        let server = try server(taken: Set(24..<31))
        var request = Samples.booking()
        request.time = start
        let found = try await api(server).availability(
            for: request,
            moving: nil,
            now: request.time.instant.advanced(bySeconds: -1)
        )
        #expect(
            found == .taken(alternatives: (7..<10).map { start.advanced(byMinutes: 30 * $0) })
        )
        #expect(server.heads.count == 3)
    }

    @Test("are missing if the salon is deleted meanwhile, and fail if a page does")
    func failed() async throws {
        for (status, body, expected) in [
            (404, #"{"error":"salonNotFound","message":"none"}"#, OfferedSlots.salonNotFound),
            (404, "", .unsupported), (405, "", .unsupported), (500, "", nil),
        ] as [(Int, String, OfferedSlots?)] {
            let server = try PageServer { target, _ in
                target.hasSuffix("?start=2")
                    ? Response(status: status, body: body)
                    : Self.page(24..<28, next: "?start=2")
            }
            let found = try? await slots(server)
            #expect(found == expected)
            #expect(server.heads.count == 2)
        }
    }
}
