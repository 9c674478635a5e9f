import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("Long lists of the backend", .throttled, .timeLimit(.minutes(10)))
struct BackendListTests {
    private static let count = 30_000

    @Test("20 slow readers of 30,000 appointments take little memory, and each is on one page")
    func slowReaders() async throws {
        let directory = try TemporaryDirectory()
        let database = directory.path + "/backend.sqlite"
        let backend = try await BackendProcess(database: database)
        #expect(try await backend.response(to: .booking(0)).status == 201)
        try await DatabaseWriter.copyFirstAppointment(Self.count - 1, in: database)
        let before = try backend.child.peakKilobytes()
        let port = backend.port.number
        let readers = await onThread {
            let readers = (0..<20).compactMap { _ in
                try? TCPConnection(port: port, receiveBufferBytes: 4_096)
            }
            for reader in readers { reader.send(HTTPRequest.get("/appointments").text) }
            return readers.filter { $0.receive(atMost: 16) }
        }
        #expect(readers.count == 20)
        // A page has at most 1,000 appointments of about 200 bytes. Whole lists take 120 MB.
        #expect(try backend.child.peakKilobytes() < before + 40 << 10)
        let first = try await backend.get("/appointments").object().count("appointments")
        #expect(first == 1_000)
        let listed = try await backend.appointments().map(\.id)
        #expect(listed.count == Self.count && Set(listed).count == Self.count)
        withExtendedLifetime(readers) {}
    }
}
