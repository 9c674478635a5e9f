import Glibc

extension StoreDirectory {
    /// How many damaged files are kept of each name.
    private static let mostSetAside = 3

    /// The names of all entries but `.` and `..`.
    func entries(in directory: borrowing Descriptor) throws(StoreError.Reason) -> [String] {
        let base = directory.raw
        // A description of its own, since the place in the listing belongs to the description.
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let copy = try Descriptor.call("openat") { openat(base, ".", flags) }
        guard let stream = fdopendir(copy) else {
            let failure = errno
            close(copy)
            throw .system(call: "fdopendir", errno: failure)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = Glibc.readdir(stream) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw .system(call: "readdir", errno: errno) }
        return names
    }

    /// Renames the damaged `name`, durably, to `name.damaged-N` with the next number, and deletes
    /// all but the newest of those.
    func setAside(_ name: String, in directory: borrowing Descriptor) throws(StoreError.Reason) {
        let prefix = name + ".damaged-"
        let numbers = try entries(in: directory)
            .filter { $0.hasPrefix(prefix) }
            .compactMap { UInt32($0.dropFirst(prefix.count)) }
            .sorted()
        try rename(name, to: prefix + "\((numbers.last ?? 0) &+ 1)", in: directory)
        // Before the next step, lest a crash keep that one alone.
        try directory.synchronize()
        for number in numbers.dropLast(Self.mostSetAside - 1) {
            try? unlink(prefix + "\(number)", in: directory)
        }
    }
}
