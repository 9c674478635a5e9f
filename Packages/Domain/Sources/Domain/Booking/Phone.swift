/// A phone number in any notation, for comparison.
///
/// Servers drop the plus and the separators, or write the national form.
struct Phone {
    private let digits: Substring
    /// Whether it cannot be compared, because a server hides digits: `***567`, `+49 30 XXX`.
    let isMasked: Bool

    /// The fewest digits that identify a number.
    private static let fewestDigits = 6

    init(_ text: String) {
        digits = text.filter(\.isASCIIDigit)[...].drop { $0 == "0" }
        isMasked =
            text.contains { $0.isLetter || "*#•·…?".contains($0) }
            || digits.count < Self.fewestDigits - 1
    }

    /// Whether both may be one number: without leading zeros, the digits of one end with the digits
    /// of the other. The shorter has at least six digits, unless both are equal.
    func matches(_ other: Phone) -> Bool {
        if isMasked || other.isMasked { return false }
        if digits == other.digits { return true }
        let (short, long) =
            digits.count < other.digits.count ? (digits, other.digits) : (other.digits, digits)
        return short.count >= Self.fewestDigits && long.hasSuffix(short)
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
