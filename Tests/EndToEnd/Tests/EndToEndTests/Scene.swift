import Foundation
import JSON
import Synchronization
import Testing

/// One backend and its database, and clients that share directories.
final class Scene: Sendable {
    let slots = Slots()
    private let directory: TemporaryDirectory
    private let backend = Mutex<Child?>(nil)
    private let port = Mutex("0")

    init() async throws {
        directory = try TemporaryDirectory()
        try #require(await startBackend())
    }

    /// Starts the backend, at the same port each time; false when it ended before it listened.
    func startBackend(through tracer: Tracer? = nil) async -> Bool {
        let database = directory.path + "/backend.sqlite"
        let arguments = ["--port", port.withLock(\.self), "--database", database]
        let child =
            if let tracer {
                try? Child(Tracer.program, tracer.arguments + [Binaries.backend] + arguments)
            } else {
                try? Child(Binaries.backend, arguments)
            }
        backend.withLock { $0 = child }
        guard let line = await child?.line(), let found = line.split(separator: ":").last else {
            return false
        }
        port.withLock { $0 = String(found) }
        return true
    }

    /// Ends the backend, the program that traces it included.
    func stopBackend() async {
        let child = backend.withLock { backend in
            defer { backend = nil }
            return backend
        }
        child?.terminate()
        _ = await child?.exitCode()
    }

    /// Whether the backend has ended by a signal that it was sent. It may be killed as late as when it
    /// notices that its client has left.
    func wasBackendKilled() async -> Bool {
        await backend.withLock(\.self)?.hasEnded(withinSeconds: 0.5) == true
    }

    private var url: String { "http://127.0.0.1:\(port.withLock(\.self))" }

    /// A client that shares nothing with the others but the backend.
    func stranger() throws -> Novablend { try Novablend(["--base-url", url]) }

    func client(through tracer: Tracer? = nil, minutesLater: Int = 0) throws -> Novablend {
        var wrapper: [String] = []
        if let tracer { wrapper = [Tracer.program] + tracer.arguments }
        if minutesLater > 0 { wrapper = LaterClock.ahead(by: "\(minutesLater)m") }
        return try Novablend(["--base-url", url], in: directory, through: wrapper)
    }

    /// A client that `wrapper`, a program with its arguments, starts.
    func client(through wrapper: [String]) throws -> Novablend {
        try Novablend(["--base-url", url], in: directory, through: wrapper)
    }

    /// Finds out, some minutes later, what became of a booking whose `reply` was that, and books it
    /// once more under the same key.
    func check(
        _ reply: JSONObject?,
        _ slot: (time: String, members: String),
        _ step: String
    ) async throws {
        let later = try client(minutesLater: 5)
        let resolved = try await later.result("appointments/resolve").text
        #expect(!resolved.contains("inDoubt"), "\(step): \(resolved)")
        let held = try await later.result("appointments/list").text
        let count = held.components(separatedBy: slot.time).count - 1
        #expect(count <= 1, "\(step): booked \(count) times")
        if let reply {
            let code = try reply["error"]?.object().required("code").integer()
            if code == nil { #expect(count == 1, "\(step): booked, and not there") }
            if let code, code != 1_206 { #expect(count == 0, "\(step): refused, and there") }
        }
        let again = try #require(await later.book(slot.members, key: slot.time))
        #expect(again["result"] != nil, "\(step): \(again.text)")
        let afterwards = try await later.result("appointments/list").text
        #expect(afterwards.components(separatedBy: slot.time).count == 2, "\(step): not once")
        let offline = try await later.result("appointments/list", #"{"policy":"cacheOnly"}"#)
        #expect(offline.text.contains(slot.time), "\(step): not kept")
        await expectCleanExit(of: later, step)
    }

    /// Ends the input of a client, which then has to exit with 0.
    func expectCleanExit(of client: Novablend, _ step: String) async {
        client.child.endInput()
        let code = await client.child.exitCode()
        #expect(code == 0, "\(step): \(client.child.said())")
    }
}
