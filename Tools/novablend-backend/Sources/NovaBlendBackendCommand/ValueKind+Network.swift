import BackendKit
import CommandLineKit
import Glibc
import HTTPServing
import WebPrimitives

extension ValueKind {
    /// An IPv4 or IPv6 address, the latter with or without brackets, or `localhost`.
    static let ipAddress = ValueKind("ADDRESS") { value in
        HTTPServer.isHost(value) ? nil : "must be an IPv4 or IPv6 address, or localhost"
    }

    /// A URL with a scheme, a host, and optionally a port and a path.
    static let baseURL = ValueKind("URL") { value in
        BaseURL(value) == nil ? "must be a URL such as https://salon.example/booking" : nil
    }

    /// A loopback address and a port.
    static let loopbackAddress = ValueKind("ADDRESS:PORT") { value in
        MetricsAddress(value) == nil
            ? "must be a loopback address and a port, such as 127.0.0.1:9464" : nil
    }

    /// IP networks, separated by commas.
    static let networks = ValueKind("NETWORK,...") { value in
        IPNetwork.list(value) == nil ? "must be networks such as 10.0.0.0/8,2001:db8::1" : nil
    }
}
