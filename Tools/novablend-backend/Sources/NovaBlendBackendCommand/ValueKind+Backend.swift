import BackendKit
import BookingStorage
import CommandLineKit
import Contract
import Domain
import HTTPServing
import WebPrimitives

extension ValueKind<String> {
    /// A phone number in any usual form, as the digits that identify a caller.
    static let phone = ValueKind("PHONE", "must be \(BookingRules.phoneForm)") { text in
        BookingRules.isPhone(text) ? BookingRequest.caller(phone: text) : nil
    }

    /// The id of a token. A whole token is not accepted, because other users see command lines.
    static let tokenID = ValueKind("ID", "must be an id of 16 digits, as tokens list shows it") {
        AccessToken.isID($0) ? $0 : nil
    }

    /// An IPv4 or IPv6 address, the latter with or without brackets, or `localhost`.
    static let ipAddress = ValueKind("ADDRESS", "must be an IPv4 or IPv6 address, or localhost") {
        HTTPServer.isHost($0) ? $0 : nil
    }
}

extension ValueKind<SalonID> {
    static let salonID = ValueKind("SALON", "must be the id of a salon") { SalonID($0) }
}

extension ValueKind<Timestamp> {
    /// A date, which stands for its beginning in UTC, or a time with an offset.
    static let instant = ValueKind("DATE", "must be like 2027-01-31 or 2027-01-31T18:00:00Z") {
        ISO8601.parse($0)?.instant ?? ISO8601.parse("\($0)T00:00:00Z")?.instant
    }
}

extension ValueKind<BaseURL> {
    /// A URL with a scheme, a host, and optionally a port and a path.
    static let baseURL = ValueKind("URL", "must be a URL such as https://salon.example/booking") {
        BaseURL($0)
    }
}

extension ValueKind<MetricsAddress> {
    /// A loopback address and a port.
    static let loopbackAddress = ValueKind(
        "ADDRESS:PORT",
        "must be a loopback address and a port, such as 127.0.0.1:9464"
    ) { MetricsAddress($0) }
}

extension ValueKind<[IPNetwork]> {
    /// IP networks, separated by commas.
    static let networks = ValueKind(
        "NETWORK,...",
        "must be networks such as 10.0.0.0/8,2001:db8::1"
    ) { IPNetwork.list($0) }
}
