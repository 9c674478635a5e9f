import BookingStorage
import BookingStorageTestSupport
import Domain
import Foundation
import JSON
import Synchronization
import Testing

@testable import BackendKit

/// `Tests/Clients/operations/test_logs.py` searches the log for what clients have sent.
@Suite("The log of the backend", .timeLimit(.minutes(10)))
struct LogTests {
    /// What a backend has logged.
    private final class Entries: Sendable {
        private let entries = Mutex<[LogEntry]>([])

        func add(_ entry: LogEntry) { entries.withLock { $0.append(entry) } }

        func lines(_ format: LogFormat) -> [String] { entries.withLock { $0.map(format.line) } }
    }

    private let entries = Entries()

    private func server(
        database: String = ":memory:",
        logsRequests: Bool = true
    ) throws -> Backend {
        try Backend(
            database: database,
            salons: [AlwaysOpenBackend.salon()],
            logsRequests: logsRequests,
            log: entries.add
        )
    }

    @Test(
        "has the id of a request if it is valid, and the response has it, too",
        arguments: ["a", "7f3c-a.b_C", String(repeating: "z", count: 64)]
    )
    func validID(id: String) throws {
        let server = try server()
        defer { server.stop() }
        let headers = ["X-Request-Id: \(id)"]
        for (path, end) in [("/salons", "listSalons 200, "), ("/none", "none 404 notFound, ")] {
            let response = exchange(server.port, "GET \(path)", headers: headers)
            #expect(response?.header("x-request-id") == id)
            #expect(entries.lines(.text).last?.hasPrefix("request \(id): \(end)") == true)
        }
    }

    @Test(
        "has a new id for a request without a valid one",
        arguments: [
            [], [""], ["49301234567"], ["a b"], ["a@b.example"], ["a", "b"], ["ä"],
            [String(repeating: "z", count: 65)],
        ]
    )
    func invalidID(sent: [String]) throws {
        let server = try server()
        defer { server.stop() }
        let headers = sent.map { "X-Request-Id: \($0)" }
        let ids = try (0..<2).map { _ in
            let response = try #require(exchange(server.port, "GET /salons", headers: headers))
            let id = try #require(response.header("x-request-id"))
            #expect(entries.lines(.text).last?.hasPrefix("request \(id): ") == true)
            #expect(RequestIDs.isValid(id) && !sent.contains(id))
            return id
        }
        #expect(ids[0] != ids[1])
    }

    @Test("has the trace of a request, but only a valid one", arguments: [LogFormat.text, .json])
    func trace(format: LogFormat) throws {
        let server = try server()
        defer { server.stop() }
        let trace = "0af7651916cd43dd8448eb211c80319c"
        let parents = ["00-\(trace)-b7ad6b7169203331-00", "01-\(trace)-b7ad6b7169203331-01-x"]
        for parent in parents {
            _ = exchange(server.port, "GET /salons", headers: ["Traceparent: \(parent)"])
            let end = format == .text ? ", trace \(trace)" : #""traceId":"\#(trace)","#
            #expect(entries.lines(format).last?.contains(end) == true)
        }
        let invalid = [
            [], ["Traceparent: \(trace)"], ["Traceparent: \(parents[0]) trace"],
            ["Traceparent: \(parents[0].uppercased())"], parents.map { "Traceparent: \($0)" },
        ]
        for headers in invalid {
            _ = exchange(server.port, "GET /salons", headers: headers)
            #expect(entries.lines(format).last?.contains("trace") == false, "\(headers)")
        }
        #expect(entries.lines(format).count == parents.count + invalid.count)
    }

    @Test("consists in JSON of objects with the time, the level, and what happened")
    func json() throws {
        let server = try server()
        defer { server.stop() }
        _ = exchange(server.port, "GET /salons", headers: ["X-Request-Id: r"])
        let line = try #require(entries.lines(.json).first)
        let object = try JSONDocument(parsing: Array(line.utf8)).root.object()
        let time = try object.required("time").string()
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
        #expect(try object.required("level").string() == "info")
        #expect(try object.required("requestId").string() == "r")
        #expect(try object.required("route").string() == "listSalons")
        #expect(try object.required("status").integer() == 200)
        #expect(try object.required("microseconds").integer() >= 0)
    }

    @Test(
        "has the level of each entry in JSON, and no request that succeeded or was rejected is an error",
        arguments: [
            (LogEntry.message("m"), "error"), (.message("m", .warning), "warning"),
            (.message("m", .info), "info"), (Self.answered(503), "error"),
            (Self.answered(499), "info"), (Self.answered(200), "info"),
        ]
    )
    func level(entry: LogEntry, level: String) {
        #expect(LogFormat.json.line(for: entry).contains(#""level":"\#(level)""#))
    }

    private static func answered(_ status: Int) -> LogEntry {
        .request(AnsweredRequest(id: "a", route: "r", status: status, nanoseconds: 1))
    }

    @Test("has no requests unless that is chosen, and then only a valid id is returned")
    func quiet() throws {
        let server = try server(logsRequests: false)
        defer { server.stop() }
        for (path, status) in [("/salons", 200), ("/none", 404)] {
            let response = exchange(server.port, "GET \(path)")
            #expect(response?.status == status && response?.header("x-request-id") == nil)
        }
        let response = exchange(server.port, "GET /salons", headers: ["X-Request-Id: a"])
        #expect(response?.header("x-request-id") == "a")
        #expect(entries.lines(.text).isEmpty)
    }

    @Test("has a failure with the id of its first request, and each failed response has an id")
    func failure() throws {
        let database = try TemporaryDatabase()
        let server = try server(database: database.path, logsRequests: false)
        defer { server.stop() }
        unlink(database.path)
        let body = AlwaysOpenBackend.booking(try AlwaysOpenBackend.time(0))
        let failed = try [[], ["X-Request-Id: mine"]].map { headers in
            try #require(exchange(server.port, "POST /appointments", headers: headers, body: body))
        }
        #expect(failed.map(\.status) == [503, 503])
        let id = try #require(failed[0].header("x-request-id"))
        #expect(RequestIDs.isValid(id) && failed[1].header("x-request-id") == "mine")
        let lines = entries.lines(.text)
        #expect(lines.count == 1 && lines.first?.hasPrefix("database: ") == true, "\(lines)")
        #expect(lines.first?.hasSuffix(" (request \(id))") == true)
        let json = entries.lines(.json).first
        #expect(json?.contains(#""level":"error","message":"database: "#) == true)
        #expect(json?.hasSuffix(#","requestId":"\#(id)"}"#) == true)
    }
}
