import Foundation

/// How many calls a process saw succeed, in a file that outlives it.
struct Acknowledgement {
    private let file: FileHandle

    init(_ path: String) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        file = try FileHandle(forWritingTo: URL(filePath: path))
    }

    func count() { _ = write(file.fileDescriptor, "+", 1) }

    /// How many they were; then the file is gone.
    static func take(_ path: String) throws -> Int {
        guard let counted = FileManager.default.contents(atPath: path) else { return 0 }
        try FileManager.default.removeItem(atPath: path)
        return counted.count
    }
}
