import Glibc
import NovaBlendCurl

/// Tracks libcurl's pooled connections, to discard those on which the server sent more than its
/// response: libcurl 7.88 would take the extra bytes for the next response.
final class IdleConnectionTracker {
    /// The two ends of a connection. No two open connections have the same endpoints.
    struct Endpoints: Hashable {
        private let ports: UInt64
        // The addresses are two strings, because one string with two IPv4 addresses would need a
        // heap allocation.
        private let remote, local: String

        init(
            _ remote: UnsafePointer<CChar>,
            _ remotePort: Int32,
            _ local: UnsafePointer<CChar>,
            _ localPort: Int32
        ) {
            ports =
                UInt64(UInt32(bitPattern: remotePort)) << 32 | UInt64(UInt32(bitPattern: localPort))
            (self.remote, self.local) = (String(cString: remote), String(cString: local))
        }

        /// Hashes only the ports, which distinguish nearly all connections.
        func hash(into hasher: inout Hasher) { hasher.combine(ports) }
    }

    private static let maximumCount = 4_096

    private var sockets: [Endpoints: Int32] = [:]

    /// Inserts the connection that a finished transfer opened, if it is still open.
    func insert(connectionOf easy: UnsafeMutableRawPointer) {
        var socket: Int32 = -1
        var (version, remotePort, localPort) = (0, 0, 0)
        var (remote, local): (UnsafePointer<CChar>?, UnsafePointer<CChar>?)
        nb_curl_get_socket(easy, &socket)
        nb_curl_get_long(easy, CURLINFO_HTTP_VERSION, &version)
        nb_curl_get_string(easy, CURLINFO_PRIMARY_IP, &remote)
        nb_curl_get_long(easy, CURLINFO_PRIMARY_PORT, &remotePort)
        nb_curl_get_string(easy, CURLINFO_LOCAL_IP, &local)
        nb_curl_get_long(easy, CURLINFO_LOCAL_PORT, &localPort)
        guard let remote, let local else { return }
        let endpoints = Endpoints(remote, Int32(remotePort), local, Int32(localPort))
        // HTTP/2 servers may send at any time; each frame identifies its request.
        let isHTTP2 = version > CURL_HTTP_VERSION_1_1
        insert(isHTTP2 || socket == CURL_SOCKET_BAD ? nil : socket, endpoints)
    }

    /// Inserts a connection. If `socket` is nil, removes an earlier connection with the same
    /// endpoints.
    func insert(_ socket: Int32?, _ endpoints: Endpoints) {
        // Closed connections are not removed one by one. If there are too many entries, remove all.
        if sockets.count >= Self.maximumCount { sockets.removeAll() }
        sockets[endpoints] = socket
    }

    /// Shuts down a pooled connection on which data arrived before the request is sent. libcurl
    /// then sends the request on another connection.
    func shutDownIfReadable(_ endpoints: Endpoints) {
        guard let socket = sockets[endpoints] else { return }
        var byte: UInt8 = 0
        guard recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0 else { return }
        shutdown(socket, Int32(SHUT_RDWR))
    }
}
