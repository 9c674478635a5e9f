import BackendKit
import BookingStorage
import CommandLineKit
import Contract
import Domain
import HTTPServing
import WebPrimitives

extension ValueKind {
    /// A phone number in any usual form.
    static let phone = ValueKind("PHONE") { value in
        BookingRules.isPhone(value) ? nil : "must be \(BookingRules.phoneForm)"
    }

    static let salonID = ValueKind("SALON") { value in
        SalonID(value) == nil ? "must be the id of a salon" : nil
    }

    /// The id of a token. A whole token is not accepted, because other users see command lines.
    static let tokenID = ValueKind("ID") { value in
        AccessToken.isID(value) ? nil : "must be an id of 16 digits, as tokens list shows it"
    }

    /// A date, which stands for its beginning in UTC, or a time with an offset.
    static let instant = ValueKind("DATE") { value in
        instant(of: value) == nil ? "must be like 2027-01-31 or 2027-01-31T18:00:00Z" : nil
    }

    static func instant(of text: String) -> Timestamp? {
        ISO8601.parse(text)?.instant ?? ISO8601.parse("\(text)T00:00:00Z")?.instant
    }

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
