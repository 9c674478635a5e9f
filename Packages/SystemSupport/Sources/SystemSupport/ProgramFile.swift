import Glibc

/// The file of the running program.
public enum ProgramFile {
    /// The path of the program without symbolic links, such as `/usr/bin/novablend`; nil if it
    /// cannot be determined, for example because `/proc` is not mounted.
    public static var path: String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        return count > 0 ? String(systemBytes: buffer.prefix(count)) : nil
    }

    /// The directory of ``path``; nil if ``path`` is nil.
    public static var directory: String? {
        path.flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } }
    }
}
