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
