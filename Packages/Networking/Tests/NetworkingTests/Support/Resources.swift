import Foundation

/// Resources of this process, according to `/proc`.
enum Resources {
    static func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }

    /// Resident memory in KiB.
    static func residentKiB() throws -> Int {
        let line = try lines(of: "/proc/self/status").first { $0.hasPrefix("VmRSS:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    /// How many connections to this local port are waiting for the other side to accept.
    static func connecting(to port: UInt16) throws -> Int {
        let server = "0100007F:" + String(format: "%04X", Int(port))
        // 02 is SYN_SENT.
        return try lines(of: "/proc/self/net/tcp").map { $0.split(separator: " ") }
            .count { $0.count > 3 && $0[2] == server && $0[3] == "02" }
    }

    /// The directory of the calling thread in /proc.
    static func ownThread() throws -> String {
        try "/proc/" + FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    }

    /// Whether a thread is sleeping in a system call.
    static func isWaiting(_ thread: String) throws -> Bool {
        try lines(of: thread + "/status").contains { $0.hasPrefix("State:\tS") }
    }

    private static func lines(of file: String) throws -> [Substring] {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
        return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
            .split(separator: "\n")
    }
}
