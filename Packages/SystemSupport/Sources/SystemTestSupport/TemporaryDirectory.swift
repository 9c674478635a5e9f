import Foundation

/// A new private directory, which is deleted with its last reference.
public final class TemporaryDirectory: Sendable {
    /// The absolute path of the directory.
    public let path: String

    /// Creates the directory with mode 0700 in the system's directory for temporary files, or, for a
    /// test that makes files durable thousands of times, `inMemory`.
    public init(inMemory: Bool = false) throws {
        let memory = "/dev/shm"
        let isUsable = inMemory && FileManager.default.isWritableFile(atPath: memory)
        let parent = isUsable ? memory : FileManager.default.temporaryDirectory.path
        path = parent + "/novablend-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The absolute path of `name` in the directory.
    public func file(_ name: String) -> String { path + "/" + name }

    /// The content of the file `name`.
    public func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: file(name))))
    }

    /// Writes the file `name`, or overwrites it.
    public func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(filePath: file(name)))
    }

    /// Deletes the file or directory `name`.
    public func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: file(name))
    }

    /// Creates `name` as a symbolic link to `target`.
    public func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: file(name),
            withDestinationPath: target
        )
    }

    /// Creates the directory `name` with mode 0700, and the missing directories above it.
    public func makeDirectory(_ name: String) throws {
        try FileManager.default.createDirectory(
            atPath: file(name),
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    /// The names of all files in the directory, sorted.
    public func entries() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
}
