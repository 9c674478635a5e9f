import Foundation

@testable import BackendKit

/// A path for a database in a temporary directory, which is deleted when this value is destroyed.
struct TemporaryDatabase: ~Copyable {
    private let folder: String
    var path: String { folder + "/db.sqlite" }

    init() throws {
        folder = FileManager.default.temporaryDirectory.path + "/novablend-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// Runs statements on a new connection and returns the rows of the last one.
    @discardableResult
    func run(_ statements: String...) throws -> [[Database.Value]] {
        let database = try Database(path: path)
        return try statements.reduce([]) { try database.query($1) }
    }
}
