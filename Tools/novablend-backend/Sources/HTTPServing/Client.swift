import NovaBlendMicroHTTPD
import WebPrimitives

/// The other end of a connection. Only the thread that serves the connection uses it.
final class Client {
    let descriptor: Int32
    let address: IPAddress?
    /// Whether this is a trusted proxy, so that the URL depends on more fields than `Host`.
    let isTrusted: Bool
    /// The URL of the previous request, and its field `Host`. Most requests have the same.
    var previous: (host: String, endpoint: Endpoint)?

    init(of connection: OpaquePointer, isTrusted: (IPAddress) -> Bool) {
        descriptor = nb_mhd_socket(connection)
        address = nb_mhd_client_address(connection).flatMap { IPAddress($0) }
        self.isTrusted = address.map(isTrusted) ?? false
    }

    /// The client that was stored when the connection started.
    static func stored(in connection: OpaquePointer) -> Client? {
        nb_mhd_socket_context(connection).map {
            Unmanaged<Client>.fromOpaque($0).takeUnretainedValue()
        }
    }
}
