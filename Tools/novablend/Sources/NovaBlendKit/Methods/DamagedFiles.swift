import Glibc

/// The damaged files that the store has put aside.
enum DamagedFiles {
    /// How many there are in `directory`; none where it cannot be read.
    static func count(in directory: String) -> Int {
        guard let stream = opendir(directory) else { return 0 }
        defer { closedir(stream) }
        var count = 0
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if hasMark(name) { count += 1 }
        }
        return count
    }

    private static func hasMark(_ name: String) -> Bool {
        let parts = name.split(separator: ".")
        return parts.count >= 3 && parts.last?.hasPrefix("damaged-") == true
    }
}
