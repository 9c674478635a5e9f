import BackendKit
import BookingStorage
import CommandLineKit
import Contract
import Domain

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
}
