import Glibc
import SystemSupport
import Testing

/// A process that books in a loop and reports what was confirmed.
struct StoreWriter: ~Copyable {
    private let id: Int32
    private let output: String

    /// Starts the process. It writes its reports to the file `output`.
    init(database: String, output: String, clients: Int, bookings: Int) throws {
        self.output = output
        let program = try Self.directory() + "/NovaBlendStoreWriter"
        var spawner = ProcessSpawner([program, database, "\(clients)", "\(bookings)"])
        spawner.output = .file(output, flags: O_WRONLY | O_CREAT | O_TRUNC)
        id = try spawner.spawn()
    }

    /// The keys of the bookings that were confirmed so far.
    func confirmedKeys() -> [String] {
        let file = open(output, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(file, &buffer, buffer.count), count > 0 {
            bytes += buffer[..<count]
        }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // The last part is empty, or a line that was cut off.
        return lines.dropLast().map { String(decoding: $0, as: UTF8.self) }
    }

    /// Throws if the process has ended, for example because a booking failed, or if the test is
    /// cancelled because its time is up.
    func requireRunning() throws {
        try Task.checkCancellation()
        try #require(waitpid(id, nil, WNOHANG) == 0, "the process has ended")
    }

    /// Kills the process as soon as `count` bookings were confirmed.
    func kill(afterConfirming count: Int) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while confirmedKeys().count < count {
            try #require(ContinuousClock.now < deadline)
            try requireRunning()
            sched_yield()
        }
        Glibc.kill(id, SIGKILL)
        waitpid(id, nil, 0)
    }

    /// The directory of the built executables, which is that of the tests.
    private static func directory() throws -> String {
        let path = try #require(realpath("/proc/self/exe", nil))
        defer { free(path) }
        let program = String(cString: path)
        return String(program[..<(program.lastIndex(of: "/") ?? program.startIndex)])
    }
}
