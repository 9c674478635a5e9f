import Foundation
import JSON
import Synchronization
import SystemTestSupport
import Testing

/// A real backend with a database file, and clients that share their directories.
final class BackendFixture: Sendable {
    let slots = Slots()
    private let directory: TemporaryDirectory
    private let backend = Mutex<ChildProcess?>(nil)
    private let port: ReservedPort

    init() async throws {
        directory = try TemporaryDirectory()
        port = try ReservedPort()
        try #require(await startBackend())
    }

    /// Starts the backend, on the same port each time. Returns false if it ended before it listened.
    func startBackend(through tracer: Tracer? = nil) async -> Bool {
        let tracing = tracer.map { [Tracer.program] + $0.arguments } ?? []
        let words = tracing + BackendProcess.command(port, directory.path + "/backend.sqlite")
        let child = try? ChildProcess(words[0], Array(words.dropFirst()))
        backend.withLock { $0 = child }
        return await child?.line() != nil
    }

    /// Terminates the backend, and the tracer if there is one.
    func stopBackend() async {
        let child = backend.withLock { backend in
            defer { backend = nil }
            return backend
        }
        child?.terminate()
        _ = await child?.exitCode()
    }

    /// Stops the backend and starts it without a tracer. A traced backend can hold its port for a moment
    /// after its tracer has ended.
    func restartBackend() async throws {
        await stopBackend()
        let deadline = ContinuousClock.now + .seconds(60)
        while await !startBackend() {
            let reason = backend.withLock(\.self)?.standardError() ?? "it cannot be spawned"
            try #require(ContinuousClock.now < deadline, "\(reason)")
        }
    }

    /// Whether the tracer killed the backend. That can happen as late as when the backend notices that
    /// its client has disconnected.
    func wasBackendKilled() async -> Bool {
        await backend.withLock(\.self)?.hasEnded(withinSeconds: 0.5) == true
    }

    private var url: String { "http://127.0.0.1:\(port)" }

    /// A client with directories of its own; it shares only the backend with the others.
    func unrelatedClient() throws -> Novablend { try Novablend(["--base-url", url]) }

    func client(through tracer: Tracer? = nil, minutesLater: Int = 0) throws -> Novablend {
        var wrapper: [String] = []
        if let tracer { wrapper = [Tracer.program] + tracer.arguments }
        if minutesLater > 0 { wrapper = FakeClock.ahead(by: "\(minutesLater)m") }
        return try Novablend(["--base-url", url], in: directory, through: wrapper)
    }

    /// A client that is started by `wrapper`, a program with its arguments.
    func client(through wrapper: [String]) throws -> Novablend {
        try Novablend(["--base-url", url], in: directory, through: wrapper)
    }

    /// Resolves a booking some minutes after it returned `reply`, and expects that the list agrees with
    /// the reply. Then repeats it under the same key, and expects a single appointment.
    func expectExactlyOnce(
        _ reply: JSONObject?,
        _ slot: (time: String, members: String),
        _ step: String
    ) async throws {
        let later = try client(minutesLater: 5)
        let resolved = try await later.result("appointments/resolve").text
        #expect(!resolved.contains("inDoubt"), "\(step): \(resolved)")
        // The time alone can also be the end of a different appointment.
        let mark = Self.mark(of: slot.time)
        let listed = try await later.result("appointments/list").text
        let count = listed.components(separatedBy: mark).count - 1
        #expect(count <= 1, "\(step): booked \(count) times")
        if let reply {
            let code = try reply["error"]?.object().required("code").integer()
            if code == nil { #expect(count == 1, "\(step): reported as booked, but not listed") }
            if let code, code != 1_206 {
                #expect(count == 0, "\(step): reported as rejected, but listed")
            }
        }
        let again = try #require(await later.book(slot.members, key: slot.time))
        #expect(again["result"] != nil, "\(step): \(again.text)")
        let afterwards = try await later.result("appointments/list").text
        #expect(
            afterwards.components(separatedBy: mark).count == 2,
            "\(step): not booked exactly once"
        )
        let offline = try await later.result("appointments/list", #"{"policy":"cacheOnly"}"#)
        #expect(offline.text.contains(mark), "\(step): not cached")
        await expectCleanExit(of: later, step)
    }

    /// How a list shows an appointment at `time`.
    static func mark(of time: String) -> String { #""appointmentTime":"\#(time)""# }

    /// Closes the input of a client, and expects that it exits with 0.
    func expectCleanExit(of client: Novablend, _ step: String) async {
        client.child.endInput()
        let code = await client.child.exitCode()
        #expect(code == 0, "\(step): \(client.child.standardError())")
    }
}
