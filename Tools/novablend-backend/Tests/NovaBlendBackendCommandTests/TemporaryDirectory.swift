import Foundation

/// A new directory, which is deleted with this value.
final class TemporaryDirectory: Sendable {
    let path = FileManager.default.temporaryDirectory.path + "/backend-\(UUID().uuidString)"

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
