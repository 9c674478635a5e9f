import Foundation
public import JSONRPC
import Synchronization
import SystemTestSupport

/// A connection in this process, whose other end sends and receives text.
public final class RawConnection: Sendable {
    /// The connection to test, which is running.
    public let connection: Connection
    private let input: Int32
    private let output: Int32
    private let running: Task<TerminationReason, Never>
    private let pending = Mutex<[UInt8]>([])
    private let isOutputClosed = Atomic(false)

    /// Starts a server for `table`.
    public convenience init(
        table: MethodTable,
        framing: FramingMode = .auto,
        limits: RPCLimits = RPCLimits()
    ) throws {
        let info = ServerInfo(name: "test", version: "1")
        try self.init {
            Connection(over: $0, table: table, info: info, framing: framing, limits: limits)
        }
    }

    /// Starts the connection that `make` creates.
    public init(_ make: (Transport) -> Connection) throws {
        let toServer = try Self.makePipe()
        let fromServer = try Self.makePipe()
        (input, output) = (toServer.write, fromServer.read)
        let connection = make(Transport(input: toServer.read, output: fromServer.write))
        self.connection = connection
        running = Task.detached {
            let reason = await connection.run()
            close(toServer.read)
            close(fromServer.write)
            return reason
        }
    }

    deinit { if !isOutputClosed.load(ordering: .relaxed) { close(output) } }

    private static func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
        return (ends[0], ends[1])
    }

    /// Sends text.
    public func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends bytes.
    public func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Closes the input of the connection.
    public func endInput() { close(input) }

    /// Closes the read end of the output, so that its writes fail.
    public func endOutput() {
        isOutputClosed.store(true, ordering: .relaxed)
        close(output)
    }

    /// The next line of output; nil at the end, or after 60 seconds without output.
    public func line() async -> String? {
        await onThread { self.nextLine() }
    }

    /// The rest of the output, up to its end or until 60 seconds pass without output.
    public func rest() async -> String {
        await onThread {
            while self.readMore() {}
            return self.pending.withLock { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The ids of the next `count` replies.
    public func ids(_ count: Int) async -> Set<Substring> {
        await onThread {
            var ids: Set<Substring> = []
            for _ in 0..<count {
                guard let line = self.nextLine() else { break }
                if let id = line.prefix(60).split(separator: #""id":"#).dropFirst().first {
                    ids.insert(id.prefix { $0.isNumber })
                }
            }
            return ids
        }
    }

    private func nextLine() -> String? {
        while true {
            let line: String? = pending.withLock { pending in
                guard let end = pending.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
                defer { pending.removeFirst(end + 1) }
                return String(decoding: pending[..<end], as: UTF8.self)
            }
            if let line { return line }
            if !readMore() { return nil }
        }
    }

    /// Why the connection ended.
    public func terminationReason() async -> TerminationReason { await running.value }

    private func readMore() -> Bool {
        var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 60_000) > 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(output, &buffer, buffer.count)
        guard count > 0 else { return false }
        pending.withLock { $0 += buffer[..<count] }
        return true
    }
}
