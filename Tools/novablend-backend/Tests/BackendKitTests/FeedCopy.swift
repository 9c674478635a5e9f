import Foundation
import Testing

/// A copy of the salons and appointments of a backend, which follows their changes over HTTP.
struct FeedCopy {
    private let port: UInt16
    private(set) var cursor: String
    private var salons: [String: NSDictionary]
    private var appointments: [String: NSDictionary]

    init(port: UInt16) throws {
        self.port = port
        cursor = try #require(Self.get(port, "/changes")["cursor"] as? String)
        (salons, appointments) = try Self.lists(port)
    }

    /// Applies all changes since the last call.
    mutating func follow() throws {
        while true {
            let changes = try Self.get(port, "/changes?since=\(cursor)")
            let next = try #require(changes["cursor"] as? String)
            if next == cursor { return }
            salons.merge(try Self.elements(changes["salons"])) { $1 }
            appointments.merge(try Self.elements(changes["appointments"])) { $1 }
            for deletion in try #require(changes["deleted"] as? [NSDictionary]) {
                let id = try #require(deletion["id"] as? String)
                switch deletion["kind"] as? String {
                case "salon": salons[id] = nil
                case "appointment": appointments[id] = nil
                default: Issue.record("\(deletion)")
                }
            }
            cursor = next
        }
    }

    /// Whether the copy equals the lists.
    func isCurrent() throws -> Bool {
        let (salons, appointments) = try Self.lists(port)
        return salons == self.salons && appointments == self.appointments
    }

    private static func lists(
        _ port: UInt16
    ) throws -> (salons: [String: NSDictionary], appointments: [String: NSDictionary]) {
        (try pages(port, "/salons"), try pages(port, "/appointments"))
    }

    /// The elements on all pages of a list.
    private static func pages(
        _ port: UInt16,
        _ path: String
    ) throws -> [String: NSDictionary] {
        var all: [String: NSDictionary] = [:]
        var query: Substring? = ""
        while let next = query {
            let response = try #require(exchange(port, "GET \(path)\(next)"))
            let page = try JSONSerialization.jsonObject(with: Data(response.body.utf8))
            // The list is the only member of a page.
            all.merge(try elements((page as? NSDictionary)?.allValues.first)) { $1 }
            query = response.header("link")?.firstMatch(of: /<(.*)>/)?.output.1
        }
        return all
    }

    private static func elements(_ list: Any?) throws -> [String: NSDictionary] {
        let elements = try #require(list as? [NSDictionary])
        return Dictionary(uniqueKeysWithValues: elements.map { ($0["id"] as? String ?? "", $0) })
    }

    private static func get(_ port: UInt16, _ path: String) throws -> NSDictionary {
        let response = try #require(exchange(port, "GET \(path)"))
        try #require(response.status == 200, "\(path): \(response.body)")
        let object = try JSONSerialization.jsonObject(with: Data(response.body.utf8))
        return try #require(object as? NSDictionary)
    }
}
