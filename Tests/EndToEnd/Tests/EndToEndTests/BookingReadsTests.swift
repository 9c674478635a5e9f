import Foundation
import JSON
import SystemTestSupport
import Testing

/// The files that a booking reads, according to the system calls of the client.
@Suite(
    "The files that a booking reads",
    .enabled(if: Tracer.isAllowed, "strace is missing or may not trace here"),
    .throttled,
    .timeLimit(.minutes(10))
)
struct BookingReadsTests {
    private let directory: TemporaryDirectory
    private var recording: String { directory.path + "/calls" }

    init() throws { directory = try TemporaryDirectory() }

    /// The recorded system calls `name` on files whose names contain `file`.
    private func calls(_ name: String, on file: String) throws -> [Substring] {
        try String(contentsOfFile: recording, encoding: .utf8).split(separator: "\n")
            .filter { $0.contains(" \(name)(") && $0.contains(file) }
    }

    @Test("the cached salons are read once per booking, and the journal is not read again for each")
    func once() async throws {
        let fixture = try await BackendFixture()
        let earlier = try fixture.client()
        _ = try #require(await earlier.book(fixture.slots.take().members, key: "earlier"))
        earlier.child.endInput()
        #expect(await earlier.child.exitCode() == 0)

        let tracer = [
            Tracer.program, "-D", "-f", "-qq", "-y", "-o", recording, "-e",
            "trace=openat,pread64",
        ]
        let client = try fixture.client(through: tracer)
        for key in ["first", "second", "third"] {
            let reply = try #require(await client.book(fixture.slots.take().members, key: key))
            #expect(reply["result"] != nil, "\(reply.text)")
        }
        client.child.endInput()
        #expect(await client.child.exitCode() == 0)
        #expect(try calls("openat", on: "salons.snapshot").count == 3)
        // At startup, the resolution and the search for expired data read the journal without the lock.
        // The first booking reads it under the lock.
        #expect(try calls("pread64", on: "bookings.journal").count == 3)
    }
}
