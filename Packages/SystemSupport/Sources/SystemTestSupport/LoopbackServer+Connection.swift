import Foundation
import Synchronization

extension LoopbackServer {
    /// A connection of a client. Only one thread reads from it.
    final class Connection: Sendable {
        let descriptor: Int32
        private let unread = Mutex<[UInt8]>([])
        private let closesNext = Atomic<Bool>(false)

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        /// Whether the server closes the connection after the current exchange.
        var isOver: Bool { closesNext.load(ordering: .relaxed) }

        func end() { closesNext.store(true, ordering: .relaxed) }

        func close() { Glibc.close(descriptor) }

        /// Makes closing the connection send a reset.
        func reset() {
            var option = linger(l_onoff: 1, l_linger: 0)
            let size = socklen_t(MemoryLayout<linger>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, size)
            end()
        }

        /// The next request with its body; nil if the client has closed the connection.
        func readRequest(withBody: Bool = true) -> String? {
            var bytes = unread.withLock { $0 }
            while true {
                if let end = Self.end(of: bytes, withBody: withBody) {
                    unread.withLock { $0 = Array(bytes[end...]) }
                    return String(decoding: bytes[..<end], as: UTF8.self)
                }
                guard let more = read() else { return nil }
                bytes += more
            }
        }

        /// The next bytes; nil if the client has closed the connection.
        func read() -> [UInt8]? {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            return count > 0 ? Array(buffer[..<count]) : nil
        }

        /// The index after the first request in `bytes`; nil if the request is incomplete. A
        /// request with a chunked body must be the last one on its connection.
        private static func end(of bytes: [UInt8], withBody: Bool) -> Int? {
            guard let blank = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
            if !withBody { return blank.upperBound }
            let head = String(decoding: bytes[..<blank.lowerBound], as: UTF8.self).lowercased()
            if head.contains("transfer-encoding: chunked") {
                return bytes.suffix(5).elementsEqual("0\r\n\r\n".utf8) ? bytes.count : nil
            }
            let length = head.split(separator: "content-length: ").dropFirst().first
            let end = blank.upperBound + (length.flatMap { Int($0.prefix { $0.isNumber }) } ?? 0)
            return end <= bytes.count ? end : nil
        }
    }
}
