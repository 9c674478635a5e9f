import Foundation
import SystemTestSupport
import Testing

/// A copy of the salons and appointments of a backend, which follows their changes.
struct FeedFollower {
    private var cursor: String
    private(set) var appointments: [String: NSDictionary] = [:]
    private var salons: [String: NSDictionary] = [:]

    /// Takes a cursor, and then reads the lists.
    init(_ backend: BackendProcess) async throws {
        cursor = try await Self.cursor(of: backend)
        (salons, appointments) = try await Self.lists(of: backend)
    }

    /// The cursor of now.
    static func cursor(of backend: BackendProcess) async throws -> String {
        try #require(try await object(backend, "/changes")?["cursor"] as? String)
    }

    /// Applies all changes since the last call. Returns false if the backend does not answer.
    mutating func follow(_ backend: BackendProcess) async throws -> Bool {
        while true {
            let changes = try await Self.object(backend, "/changes?since=\(cursor)")
            guard let changes else { return false }
            let next = try #require(changes["cursor"] as? String)
            if next == cursor { return true }
            salons.merge(try Self.elements(changes["salons"])) { $1 }
            appointments.merge(try Self.elements(changes["appointments"])) { $1 }
            for deletion in try #require(changes["deleted"] as? [NSDictionary]) {
                salons[try #require(deletion["id"] as? String)] = nil
            }
            cursor = next
        }
    }

    /// Expects that the copy equals the lists.
    func expectCurrent(_ backend: BackendProcess, _ step: String) async throws {
        let (salons, appointments) = try await Self.lists(of: backend)
        #expect(salons == self.salons, "\(step)")
        #expect(appointments.count == self.appointments.count, "\(step)")
        #expect(appointments == self.appointments, "\(step)")
    }

    private static func lists(
        of backend: BackendProcess
    ) async throws -> (salons: [String: NSDictionary], appointments: [String: NSDictionary]) {
        let appointments = try await backend.listedAppointments { object in
            try JSONSerialization.jsonObject(with: Data(object.text.utf8)) as? NSDictionary
        }
        return (
            try elements(try await object(backend, "/salons")?["salons"]),
            try elements(appointments)
        )
    }

    private static func elements(_ list: Any?) throws -> [String: NSDictionary] {
        let elements = try #require(list as? [NSDictionary])
        return Dictionary(uniqueKeysWithValues: elements.map { ($0["id"] as? String ?? "", $0) })
    }

    /// The JSON object in a response; nil if the backend does not answer.
    private static func object(
        _ backend: BackendProcess,
        _ path: String
    ) async throws -> NSDictionary? {
        let port = backend.port.number
        let answer = await onThread { () -> ReceivedResponse? in
            guard let connection = try? TCPConnection(port: port) else { return nil }
            connection.send(HTTPRequest.get(path).text)
            return connection.response()
        }
        guard let response = answer else { return nil }
        try #require(response.status == 200, "\(path): \(response.text)")
        let object = try JSONSerialization.jsonObject(with: Data(response.body))
        return try #require(object as? NSDictionary)
    }
}
