import BookingStorage
import CommandLineKit
import Domain

/// The argument of the commands about one customer.
enum CustomerArgument {
    static let argument = Argument("PHONE", .storedPhone, "the phone number of the customer")

    static let details =
        "Numbers are compared by their digits without leading zeros. So +49 30 1234567 is the same as "
        + "0049 30 1234567, but not as 030 1234567: if the customer has used both forms, run the "
        + "command for each."

    /// The digits of the number without leading zeros.
    static func caller(_ invocation: Invocation) -> String {
        BookingRequest.caller(phone: invocation.argument(argument.name) ?? "")
    }
}

extension ValueKind {
    /// A phone number that may be stored. Earlier versions also stored those of only zeros.
    fileprivate static let storedPhone = ValueKind("PHONE") { value in
        BookingRules.hasPhoneForm(value) ? nil : "must be a phone number of 5 to 15 digits"
    }
}
