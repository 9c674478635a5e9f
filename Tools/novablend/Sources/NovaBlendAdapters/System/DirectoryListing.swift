import Glibc
import SystemSupport

/// Lists directories.
package enum DirectoryListing {
    /// The names of all entries of `directory` except `.` and `..`; empty if it cannot be read.
    package static func names(in directory: String) -> [String] {
        guard let stream = opendir(directory.systemBytes) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(systemBytes: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
