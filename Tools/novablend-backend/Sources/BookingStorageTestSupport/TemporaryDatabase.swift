import Glibc

/// A path for a database in a temporary directory, which is deleted when this value is destroyed.
public struct TemporaryDatabase: ~Copyable {
    /// The directory. Only this user can access it.
    public let directory: String

    /// The path of the database. No file exists there yet.
    public var path: String { directory + "/db.sqlite" }

    /// Creates the directory. Throws a ``SpecViolation`` if that is not possible.
    public init() throws {
        var template = Array("/tmp/novablend-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw SpecViolation(description: "cannot create a temporary directory")
        }
        directory = String(
            decoding: template.dropLast().map(UInt8.init(bitPattern:)),
            as: UTF8.self
        )
    }

    deinit {
        guard let entries = opendir(directory) else { return }
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            unlink(directory + "/" + name)
        }
        closedir(entries)
        rmdir(directory)
    }
}
