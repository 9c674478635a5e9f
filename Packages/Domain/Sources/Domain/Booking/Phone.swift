/// A phone number that can be compared with a differently written one.
///
/// Some servers remove the plus and the separators or report the national form.
struct Phone {
    private let digits: Substring
    /// Whether the number cannot be compared, because the server hides digits (`***567`, `+49 30
    /// XXX`), or fewer than five remain without leading zeros.
    let isMasked: Bool

    /// The minimum number of digits that identify a phone number.
    private static let minimumDigits = 6

    init(_ text: String) {
        digits = text.filter { ("0"..."9").contains($0) }[...].drop { $0 == "0" }
        isMasked =
            text.contains { $0.isLetter || "*#•·…?".contains($0) }
            || digits.count < Self.minimumDigits - 1
    }

    /// Whether both may be the same number: without leading zeros, the digits of one end with the
    /// digits of the other. Unless they are equal, the shorter one must have at least six digits.
    func matches(_ other: Phone) -> Bool {
        if isMasked || other.isMasked { return false }
        if digits == other.digits { return true }
        let (short, long) =
            digits.count < other.digits.count ? (digits, other.digits) : (other.digits, digits)
        return short.count >= Self.minimumDigits && long.hasSuffix(short)
    }
}
