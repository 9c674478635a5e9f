import Foundation

@testable import JSONRPC

/// Runs code while a thread is blocked in a system call.
enum BlockedThread {
    /// Starts a thread that runs `body` as soon as the calling thread blocks.
    static func whenCurrentThreadBlocks(_ body: @escaping @Sendable () -> Void) {
        let path = "/proc/\(FileManager.default.currentThread)/stat"
        Thread.detachNewThread {
            while !isBlocked(path) { sched_yield() }
            body()
        }
    }

    /// In a `stat` file, the state follows the name in parentheses. `S` means that the thread
    /// sleeps.
    private static func isBlocked(_ path: String) -> Bool {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return true }
        return text.split(separator: ")").last?.hasPrefix(" S") ?? true
    }
}

extension FileManager {
    /// The path of the calling thread, relative to /proc.
    fileprivate var currentThread: String {
        (try? destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? "self"
    }
}
