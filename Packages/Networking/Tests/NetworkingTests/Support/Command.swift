import Foundation

/// A program that is run to its end.
enum Command {
    /// What it wrote.
    static func run(
        _ path: String,
        _ arguments: [String],
        in directory: URL? = nil
    ) async throws -> [UInt8] {
        try await onThread {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
            if let directory { process.currentDirectoryURL = directory }
            let output = Pipe()
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            // What a Process held, it holds on to.
            defer { try? output.fileHandleForReading.close() }
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return Array(text)
        }
    }
}
