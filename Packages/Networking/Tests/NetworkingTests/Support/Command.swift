import Foundation

/// Runs programs.
enum Command {
    /// Runs a program until it exits, and returns its standard output.
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
            // Process does not close it.
            defer { try? output.fileHandleForReading.close() }
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return Array(text)
        }
    }
}
