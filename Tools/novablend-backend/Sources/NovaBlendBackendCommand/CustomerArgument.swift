import CommandLineKit

/// The argument of the commands about one customer.
enum CustomerArgument {
    static let argument = Argument(
        "PHONE",
        .phone,
        "the phone number of the customer"
    )

    static let details =
        "Numbers are compared by their digits without leading zeros. So +49 30 1234567 is the same as "
        + "0049 30 1234567, but not as 030 1234567: if the customer has used both forms, run the "
        + "command for each."

    /// The digits of the number without leading zeros.
    static func caller(_ invocation: Invocation) throws(CommandError) -> String {
        let text = invocation.argument(argument.name) ?? ""
        guard let digits = ValueKind.phoneDigits(of: text) else {
            throw CommandError.usage("PHONE is not valid", of: invocation)
        }
        return digits
    }
}
