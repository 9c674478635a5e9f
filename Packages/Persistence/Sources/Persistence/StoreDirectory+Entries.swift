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
        let prefix = Self.prefix(of: name)
        let numbers = try setAside(entries(in: directory), prefix)
        try rename(name, to: prefix + "\((numbers.last ?? 0) &+ 1)", in: directory)
        // Before the next step, lest a crash keep that one alone.
        try directory.synchronize()
        for number in numbers.dropLast(Self.mostSetAside - 1) {
            try? unlink(prefix + "\(number)", in: directory)
        }
    }

    /// Where nothing has `name`: makes durable what a writer before put aside and could not make
    /// durable itself. Were a crash to leave only the new name of the file that comes in its place,
    /// the damaged one would be lost.
    func keepSetAside(
        _ name: String,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        if try setAside(entries(in: directory), Self.prefix(of: name)).isEmpty { return }
        try directory.synchronize()
    }

    private static func prefix(of name: String) -> String { name + ".damaged-" }

    /// The numbers of those that were put aside, in order.
    private func setAside(_ entries: [String], _ prefix: String) -> [UInt32] {
        entries.filter { $0.hasPrefix(prefix) }
            .compactMap { UInt32($0.dropFirst(prefix.count)) }
            .sorted()
    }
}
