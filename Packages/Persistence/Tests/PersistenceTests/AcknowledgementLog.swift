import Foundation

/// Counts the calls that succeeded in a process, in a file that outlives the process.
struct AcknowledgementLog {
    private let file: FileHandle

    init(_ path: String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        file = try FileHandle(forWritingTo: URL(filePath: path))
    }

    func recordSuccess() { _ = write(file.fileDescriptor, "+", 1) }

    /// Returns the count and deletes the file.
    static func takeCount(from path: String) throws -> Int {
        guard let log = FileManager.default.contents(atPath: path) else { return 0 }
        try FileManager.default.removeItem(atPath: path)
        return log.count
    }
}
