import Foundation
import JSON
import SystemTestSupport
import Testing

@Suite("A copy that follows a random history", .throttled, .timeLimit(LongTests.timeLimit))
struct FollowedHistoryTests {
    /// A backend whose salons and appointments change at random, and two clients with one cache.
    private struct History {
        var generator: SeededGenerator
        let directory: TemporaryDirectory
        let slots = Slots()
        var backend: BackendProcess
        var clients: [Novablend] = []
        var appointments: [String] = []
        /// The salons that were created, and not deleted.
        var salons: [String] = []

        init(_ generator: SeededGenerator) async throws {
            self.generator = generator
            directory = try TemporaryDirectory()
            backend = try await Self.backend(in: directory, port: nil)
            for _ in 0..<2 { clients.append(try client()) }
        }

        private static func backend(
            in directory: TemporaryDirectory,
            port: ReservedPort?
        ) async throws -> BackendProcess {
            try await BackendProcess(port: port, database: directory.path + "/backend.sqlite")
        }

        private func client() throws -> Novablend {
            try Novablend(["--base-url", backend.url], in: directory)
        }

        /// Sends a request to the backend, and returns the id in the response.
        private func send(_ request: HTTPRequest, _ status: Int) async throws -> String {
            let response = try await backend.response(to: request)
            try #require(response.status == status, "\(request.text): \(response.text)")
            return String(response.text.firstMatch(of: /"id":"([^"]*)"/)?.output.1 ?? "")
        }

        /// Changes something at the server.
        mutating func change() async throws {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0..<3:
                let request = HTTPRequest.json("POST", "/appointments", "{\(slots.take().members)}")
                appointments.append(try await send(request, 201))
            case 3, 4:
                guard let id = appointments.randomElement(using: &generator) else { return }
                appointments.removeAll { $0 == id }
                let path = "/appointments/\(id)"
                _ = try await send(.json("DELETE", path, "", fields: "If-Match: *\r\n"), 200)
            case 5:
                let id = UUID().uuidString.lowercased()
                salons.append(id)
                try await put(id, "If-None-Match: *\r\n", 201)
            case 6:
                guard let id = salons.randomElement(using: &generator) else { return }
                try await put(id, "If-Match: *\r\n", 200)
            default:
                guard let id = salons.randomElement(using: &generator) else { return }
                salons.removeAll { $0 == id }
                _ = try await send(
                    .json("DELETE", "/salons/\(id)", "", fields: "If-Match: *\r\n"),
                    204
                )
            }
        }

        private mutating func put(_ id: String, _ field: String, _ status: Int) async throws {
            let name = "Salon \(Int.random(in: 0..<1_000, using: &generator))"
            let salon =
                #"{"id":"\#(id)","name":"\#(name)","location":"x","#
                + #""open_time":9.00,"close_time":18.00}"#
            _ = try await send(.json("PUT", "/salons/\(id)", salon, fields: field), status)
        }

        /// Kills and restarts the backend or a client, or damages a cached list.
        mutating func fail() async throws {
            switch Int.random(in: 0..<4, using: &generator) {
            case 0:
                backend.child.kill()
                backend = try await Self.backend(in: directory, port: backend.port)
            case 1:
                let index = Int.random(in: clients.indices, using: &generator)
                clients[index].child.kill()
                clients[index] = try client()
            case 2:
                // The client may be writing when it is killed.
                clients[0].send(1, "appointments/list", "{}")
                clients[0].child.kill()
                clients[0] = try client()
            default: try truncateSnapshot()
            }
        }

        /// Removes some of the last bytes of a cached list, as a crash may.
        private mutating func truncateSnapshot() throws {
            let files = FileManager.default.enumerator(atPath: directory.path + "/cache")
            let names = (files?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".snapshot") }
            guard let name = names.sorted().randomElement(using: &generator) else { return }
            let path = "\(directory.path)/cache/\(name)"
            let file = try FileHandle(forUpdating: URL(filePath: path))
            let size = try file.seekToEnd()
            try file.truncate(
                atOffset: size - min(size, UInt64.random(in: 1...60, using: &generator))
            )
            try file.close()
        }

        /// Compares the lists of a client with those of one that has no cache.
        mutating func expectCurrent(_ step: String) async throws {
            let fresh = try Novablend(["--base-url", backend.url])
            let client = clients[Int.random(in: clients.indices, using: &generator)]
            for name in ["appointments", "salons"] {
                let followed = try await elements(name, client)
                let loaded = try await elements(name, fresh)
                #expect(followed == loaded, "\(step): \(name)")
            }
        }

        private func elements(_ name: String, _ client: Novablend) async throws -> [String] {
            let list = try await client.result("\(name)/list", #"{"policy":"serverOnly"}"#)
            return try list.required(named: name).array().map { "\($0)" }.sorted()
        }
    }

    @Test(
        "equals the full lists after each step, whatever is killed, damaged, or changed at the same time"
    )
    func random() async throws {
        let generator = SeededGenerator()
        var history = try await History(generator)
        for round in 0..<(LongTests.isEnabled ? 1_000 : 40) {
            let step = "\(generator.description), round \(round)"
            for _ in 0..<Int.random(in: 0...4, using: &history.generator) {
                try await history.change()
            }
            if Bool.random(using: &history.generator) { try await history.fail() }
            try await history.expectCurrent(step)
        }
        await history.backend.stop()
    }
}
