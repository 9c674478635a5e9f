import Glibc
import NovaBlendCurl

/// The connections that libcurl keeps, so that one on which a server said more than its answer is
/// not used again: libcurl 7.88 would take the rest for the next answer.
///
/// Used under the loop's lock alone.
final class KeptConnections {
    /// What tells a connection from all others that are open.
    struct Ends: Hashable {
        private let ports: UInt64
        // Apart, since an address of IPv4 needs no memory of its own.
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

        /// The ports alone tell nearly all apart.
        func hash(into hasher: inout Hasher) { hasher.combine(ports) }
    }

    private static let most = 4_096

    private var sockets: [Ends: Int32] = [:]

    /// Remembers the connection that a transfer made which is over, if it is open still.
    func note(after easy: UnsafeMutableRawPointer) {
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
        // Those that are closed stay until there are too many.
        if sockets.count >= Self.most { sockets.removeAll() }
        let ends = Ends(remote, Int32(remotePort), local, Int32(localPort))
        // HTTP/2 may speak at any time, and says of which request.
        let isOfInterest = socket >= 0 && version <= CURL_HTTP_VERSION_1_1
        sockets[ends] = isOfInterest ? socket : nil
    }

    /// Breaks a kept connection on which something came before a request: libcurl then sends the
    /// request on another.
    func check(_ ends: Ends) {
        guard let socket = sockets[ends] else { return }
        var byte: UInt8 = 0
        guard recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0 else {
            return
        }
        shutdown(socket, Int32(SHUT_RDWR))
    }
}
