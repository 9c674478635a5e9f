import Foundation
import Synchronization

/// A server with the parts of HTTP/2 (RFC 9113) that the tests need. OpenSSL's server terminates
/// TLS.
final class HTTP2Server: Sendable {
    struct Frame: Sendable, Equatable {
        enum Kind: UInt8, Sendable { case data, headers, priority, reset, settings }

        var kind: UInt8
        var flags: UInt8
        var stream: UInt8

        func isKind(_ kind: Kind) -> Bool { self.kind == kind.rawValue }
    }

    private struct Reader {
        let file: FileHandle
        private var unread: [UInt8] = []

        init(file: FileHandle) { self.file = file }

        mutating func take(_ count: Int) -> [UInt8]? {
            while unread.count < count {
                let more = file.availableData
                guard !more.isEmpty else { return nil }
                unread += more
            }
            defer { unread.removeFirst(count) }
            return Array(unread[..<count])
        }

        mutating func skip(past text: String) -> Bool {
            var last: [UInt8] = []
            while !last.elementsEqual(text.utf8) {
                guard let byte = take(1) else { return false }
                last = last.suffix(text.utf8.count - 1) + byte
            }
            return true
        }
    }

    /// How to respond to a request.
    enum Reply: Sendable { case ok(String), reset, none }

    private let server: TLSServer
    private let seen = Mutex<[Frame]>([])
    private let changed = Signal()
    private let ended = Signal()

    var url: String { server.url }

    init(
        _ authority: Authority,
        reply: @escaping @Sendable (_ number: Int) -> Reply
    ) async throws {
        server = try await TLSServer(authority, options: "-alpn h2 -naccept 1")
        Thread.detachNewThread { [weak self, ended, input = server.input, output = server.output] in
            Self.run(input, output) { frame in
                guard let number = self?.record(frame), frame.isKind(.headers) else { return .none }
                return reply(number)
            }
            ended.fire()
        }
    }

    /// Waits until its connection has ended.
    func end() async { await ended.wait() }

    /// Waits until `count` frames of a kind have arrived.
    func wait(for count: Int, _ kind: Frame.Kind) async {
        while !Task.isCancelled, seen.withLock({ $0.count { $0.isKind(kind) } }) < count {
            await changed.wait()
        }
    }

    /// Records a frame. Returns the number of requests so far.
    private func record(_ frame: Frame) -> Int {
        defer { changed.fire() }
        return seen.withLock { seen in
            seen.append(frame)
            return seen.count { $0.isKind(.headers) }
        }
    }

    private static func run(
        _ input: FileHandle,
        _ output: FileHandle,
        _ reply: (Frame) -> Reply
    ) {
        var reader = Reader(file: output)
        // OpenSSL first prints information about the connection.
        guard reader.skip(past: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") else { return }
        send(input, kind: .settings)
        while let head = reader.take(9),
            reader.take(Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])) != nil
        {
            let frame = Frame(kind: head[3], flags: head[4], stream: head[8])
            // 1 is ACK.
            if frame.isKind(.settings), frame.flags & 1 == 0 {
                send(input, kind: .settings, flags: 1)
            }
            send(reply(frame), input, on: frame.stream)
        }
    }

    private static func send(_ reply: Reply, _ input: FileHandle, on stream: UInt8) {
        switch reply {
        case .none: break
        case .ok(let body):
            // 0x88 is `:status: 200` in HPACK's static table, 4 is END_HEADERS, and 1 is
            // END_STREAM.
            send(input, kind: .headers, flags: 4, stream: stream, [0x88])
            send(input, kind: .data, flags: 1, stream: stream, Array(body.utf8))
        case .reset: send(input, kind: .reset, stream: stream, [0, 0, 0, 2])
        }
    }

    private static func send(
        _ input: FileHandle,
        kind: Frame.Kind,
        flags: UInt8 = 0,
        stream: UInt8 = 0,
        _ payload: [UInt8] = []
    ) {
        let head = [0, 0, UInt8(payload.count), kind.rawValue, flags, 0, 0, 0, stream]
        try? input.write(contentsOf: Data(head + payload))
    }
}
