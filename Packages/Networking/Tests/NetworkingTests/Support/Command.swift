import Foundation

/// Runs a program to its end.
enum Command {
    /// Runs the program and returns its standard output.
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
            // A Process does not close it.
            defer { try? output.fileHandleForReading.close() }
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return Array(text)
        }
    }
}
