import Foundation

/// Runs a command line in bash, with the example program `greet` and without the user's settings.
struct Shell {
    let output: String
    let errors: String
    let code: Int32

    init(_ script: String, environment: [String: String] = [:]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", script]
        process.environment = [
            "PATH": try Self.productsDirectory.path + ":/usr/bin:/bin", "HOME": "/nonexistent",
        ].merging(environment) { $1 }
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        // Standard error is short enough to fit into the pipe.
        self.output = String(decoding: output.fileHandleForReading.availableToEnd, as: UTF8.self)
        self.errors = String(decoding: errors.fileHandleForReading.availableToEnd, as: UTF8.self)
        process.waitUntilExit()
        code = process.terminationStatus
    }

    /// The directory of the built executables, which is that of the tests.
    private static var productsDirectory: URL {
        get throws {
            let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            return URL(filePath: path).deletingLastPathComponent()
        }
    }
}

extension FileHandle {
    fileprivate var availableToEnd: Data { (try? readToEnd()) ?? Data() }
}
