import Foundation

/// The command `openssl`, from the Debian package of that name.
enum OpenSSL {
    static let path = "/usr/bin/openssl"

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Runs the command and returns its standard output.
    @discardableResult
    static func run(_ arguments: String, in directory: URL) async throws -> String {
        let words = arguments.split(separator: " ").map(String.init)
        return String(decoding: try await Command.run(path, words, in: directory), as: UTF8.self)
    }
}
