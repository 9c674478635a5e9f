import BackendKit
import BookingStorageTestSupport
import Contract
import Domain
import Foundation
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
        let readers = try (0..<20).map { _ in try SlowReader(server.port, "/appointments") }
        let growth = try Self.residentKiB() - before
        // One complete list has more than 30 MiB.
        #expect(growth < 100 << 10, "\(growth) KiB")
        for reader in readers { #expect(reader.start.hasPrefix("HTTP/1.1 200 OK")) }
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

/// A connection that has received only the start of a response.
private final class SlowReader {
    private let connection: Int32
    let start: String

    init(_ port: UInt16, _ path: String) throws {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // The server can then send only a small part of the response.
        var size: Int32 = 4_096
        setsockopt(connection, SOL_SOCKET, SO_RCVBUF, &size, 4)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        try #require(isConnected)
        let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
        try #require(send(connection, request, request.count, 0x4000) == request.count)
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = read(connection, &buffer, buffer.count)
        self.connection = connection
        start = String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self)
    }

    deinit { close(connection) }
}
