import Foundation

/// The programs under test: those that `make build` left.
enum Binaries {
    static let folder =
        ProcessInfo.processInfo.environment["NOVABLEND_BIN"]
        ?? URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../bin").standardized.path

    static let novablend = folder + "/novablend"
    static let backend = folder + "/novablend-backend"
}

/// A directory of one test's own, gone with it.
final class TemporaryDirectory: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/novablend-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Runs what blocks on a thread of its own, so that tests side by side do not wait for each other.
func offThePool<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
