import BackendKit
import BookingStorageTestSupport
import Contract
import Domain
import Foundation
import SystemTestSupport
import Testing

@testable import SQLiteStorage

@Suite("Clients that read slowly", .timeLimit(.minutes(10)))
struct SlowReaderTests {
    private static let count = 200_000

    @Test("20 of them, of 200,000 appointments, do not fill the memory")
    func memory() throws {
        let database = try TemporaryDatabase()
        let server = try AlwaysOpenBackend(database: database.path)
        defer { server.backend.stop() }
        try Self.fill(database.path)
        let warm = try #require(exchange(server.port, "GET /appointments"))
        #expect(try AppointmentListCodec.decode(Array(warm.body.utf8)).count == 1_000)
        let before = try Self.residentKiB()
        let readers = try (0..<20).map { _ in
            // The server can then send only a small part of each response.
            let reader = try TCPConnection(port: server.port, receiveBufferBytes: 4_096)
            reader.send("GET /appointments HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(reader.receive(atMost: 64))
            return reader
        }
        let growth = try Self.residentKiB() - before
        // One complete list has more than 30 MiB. The address sanitizer adds to what is allocated.
        #expect(growth < 200 << 10, "\(growth) KiB")
        for reader in readers {
            #expect(reader.next { $0.starts(with: "HTTP/1.1 200 OK".utf8) } == true)
        }
    }

    @Test("the pages of 200,000 appointments contain each of them once")
    func complete() throws {
        let database = try TemporaryDatabase()
        let server = try AlwaysOpenBackend(database: database.path)
        defer { server.backend.stop() }
        try Self.fill(database.path)
        var (path, count, last) = ("/appointments", 0, "")
        while true {
            let page = try #require(exchange(server.port, "GET \(path)"))
            for match in page.body.matches(of: /"id":"([0-9a-f]*)"/) {
                #expect(match.output.1 > last)
                last = String(match.output.1)
                count += 1
            }
            guard let link = page.header("link") else { break }
            path = "/appointments" + link.dropFirst().prefix { $0 != ">" }
        }
        #expect(count == Self.count)
    }

    private static func fill(_ path: String) throws {
        try Database(path: path, access: .create).execute(
            """
            WITH RECURSIVE numbers (n) AS
                (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
            INSERT INTO appointments (
                salon_id, id, instant, offset_minutes, minutes, status, version, phone, email, notes
            ) SELECT '\(AlwaysOpenBackend.id)', printf('%08x', n), 2000000000 + n * 1800, 0, 30,
                'booked', 1, '+49 30 1234567', 'ada@example.com', 'window seat'
            FROM numbers
            """
        )
    }

    /// The memory of this process.
    private static func residentKiB() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.split(separator: " ")[1]))
    }
}
