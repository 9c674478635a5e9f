import Foundation

/// The programs under test: in the directory `NOVABLEND_BIN`, or else in `bin`, where `make build`
/// puts them.
enum Binaries {
    static let directory =
        ProcessInfo.processInfo.environment["NOVABLEND_BIN"]
        ?? URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../../bin").standardized.path

    static let novablend = directory + "/novablend"
    static let backend = directory + "/novablend-backend"
}

/// A new private directory, which is deleted with its last reference.
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

/// Runs blocking code on a new thread, so that it does not block the threads of other tests.
func onNewThread<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: body()) }
    }
}
