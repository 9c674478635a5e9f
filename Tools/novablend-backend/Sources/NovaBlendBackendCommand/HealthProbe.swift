import BackendKit
import Glibc
import HTTPServing
import SystemSupport

/// A request for the readiness of the backend at an address of this machine.
///
/// It uses a socket instead of libcurl, which the backend does not need otherwise.
struct HealthProbe {
    let host: String
    let port: UInt16
    /// How long to wait for the connection, and for the response.
    var timeout = Duration.seconds(5)

    /// The status of the response; nil if it is not one of HTTP.
    ///
    /// - Throws: `EINVAL` if the host is not an IP address, the error of a system call, or `EAGAIN`
    ///   if there was no response in time.
    func status() throws(SystemError) -> Int? {
        guard let address = SocketAddress(host: host, port: port) else {
            throw SystemError(code: EINVAL)
        }
        let descriptor = address.makeSocket(SOCK_STREAM)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        defer { close(descriptor) }
        limitWaits(descriptor)
        guard address.withPointer({ connect(descriptor, $0, $1) == 0 }) else {
            throw SystemError(code: errno)
        }
        let authority = HTTPServer.authority(host, port)
        let lines = [
            "GET \(Backend.readinessPath) HTTP/1.1",
            "Host: \(authority)", "Connection: close", "", "",
        ]
        let request = Array(lines.joined(separator: "\r\n").utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) >= 0 else {
            throw SystemError(code: errno)
        }
        return Self.status(try firstBytes(descriptor))
    }

    private func limitWaits(_ descriptor: Int32) {
        let (seconds, attoseconds) = timeout.components
        var time = timeval(
            tv_sec: Int(seconds),
            tv_usec: Int(attoseconds / 1_000_000_000_000)
        )
        // The first one also limits `connect`; see socket(7).
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
            let size = socklen_t(MemoryLayout<timeval>.size)
            setsockopt(descriptor, SOL_SOCKET, option, &time, size)
        }
    }

    /// The beginning of a response, which contains its status.
    private func firstBytes(_ descriptor: Int32) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < Self.statusEnd {
            let count = read(descriptor, &byte, 1)
            if count == 0 { break }
            if count == 1 {
                bytes.append(byte)
            } else if errno != EINTR {
                throw SystemError(code: errno)
            }
        }
        return bytes
    }

    /// The length of `HTTP/1.1 200 `.
    private static let statusEnd = 13

    private static func status(_ bytes: [UInt8]) -> Int? {
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard words.count == 2, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3 else {
            return nil
        }
        return Int(words[1])
    }
}
