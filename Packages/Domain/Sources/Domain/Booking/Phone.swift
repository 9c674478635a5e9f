/// A phone number, which can be compared with a differently written one.
///
/// Some servers remove the plus and the separators or report the national form. An extension does not
/// count.
public struct Phone: Sendable {
    /// The digits without an extension and without leading zeros.
    public let digits: String
    /// Whether the number cannot be compared, because the server hides digits (`***567`, `+49 30
    /// XXX`), or fewer than five remain without leading zeros.
    let isMasked: Bool

    /// The minimum number of digits that identify a phone number.
    static let minimumDigits = 6
    /// The number of digits of a phone number. E.164 has at most 15.
    private static let digitCounts = 5...15
    private static let extensionCounts = 1...7
    /// The maximum length, in bytes, of a number with its extension.
    public static let maximumBytes = 40

    /// Reads a number in any form.
    public init(_ text: String) {
        let number = Parts(ContactText.plain(text)).number
        digits = String(number.filter(\.isDigit).drop { $0 == "0" })
        isMasked =
            number.contains { $0.isLetter || "*#•·…?".contains($0) }
            || digits.count < Self.minimumDigits - 1
    }

    /// Whether both may be the same number: without leading zeros, the digits of one end with the
    /// digits of the other. Unless they are equal, the shorter one must have at least six digits.
    public func matches(_ other: Phone) -> Bool {
        if isMasked || other.isMasked { return false }
        if digits == other.digits { return true }
        let (short, long) =
            digits.count < other.digits.count ? (digits, other.digits) : (other.digits, digits)
        return short.count >= Self.minimumDigits && long.hasSuffix(short)
    }

    /// What is meant by a number that someone typed or pasted, such as `+49 30 1234567 ext. 12`.
    ///
    /// The result has ASCII digits, an optional leading plus, and the usual separators. All kinds of
    /// white space become one space, and all kinds of hyphens and full-width characters the plain ones;
    /// invisible characters and `tel:` are left out (RFC 3966). Numbers are compared without leading
    /// zeros, so nothing would remain of one of only zeros, unless `allowsZeros`.
    ///
    /// - Throws: An error with the reason if that is not a phone number.
    public static func normalized(
        _ text: String,
        allowsZeros: Bool = false
    ) throws(InvalidContactError) -> String {
        let parts = Parts(ContactText.plain(text))
        var number = parts.number
        try check(number, allowsZeros: allowsZeros)
        if let digits = parts.extensionDigits {
            guard extensionCounts.contains(digits.count) else {
                throw InvalidContactError(phone: "has an extension that is not 1 to 7 digits")
            }
            number += " ext. \(digits)"
        }
        guard number.utf8.count <= maximumBytes else {
            throw InvalidContactError(phone: "has more than \(maximumBytes) characters")
        }
        return number
    }

    private static func check(_ number: String, allowsZeros: Bool) throws(InvalidContactError) {
        if number.isEmpty { throw InvalidContactError(phone: "is empty") }
        if isScientific(number) {
            throw InvalidContactError(
                phone:
                    "\(number) is how a spreadsheet writes a long number, without its last digits"
            )
        }
        for (position, character) in number.enumerated() {
            if character == "+", position > 0 {
                throw InvalidContactError(phone: "has a plus that is not at the beginning")
            }
            guard character.isDigit || "+ -./()".contains(character) else {
                throw InvalidContactError(phone: "contains \(ContactText.shown(character))")
            }
        }
        let count = number.count(where: \.isDigit)
        guard digitCounts.contains(count) else {
            throw InvalidContactError(phone: "has \(count.counting("digit")) instead of 5 to 15")
        }
        guard allowsZeros || number.contains(where: { $0.isDigit && $0 != "0" }) else {
            throw InvalidContactError(phone: "has only zeros")
        }
    }

    /// Whether the text is a number such as `4.93E+11`.
    private static func isScientific(_ text: String) -> Bool {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
        guard parts.count == 2, let last = parts.last else { return false }
        let exponent = last.drop { $0 == "+" || $0 == "-" }
        let mantissa = parts[0].filter { $0 != "." && $0 != "," }
        return [String(mantissa), String(exponent)].allSatisfy {
            !$0.isEmpty && $0.allSatisfy(\.isDigit)
        }
    }

    /// A number and its extension.
    fileprivate struct Parts {
        var number: String
        /// The digits after a word for an extension; nil if there is none.
        var extensionDigits: Substring?

        private static let words: Set<String> = ["ext", "extn", "extension", "x", "#"]

        /// Splits plain text, which may be a `tel:` URI.
        init(_ text: String) {
            let text = text.lowercased().hasPrefix("tel:") ? Self.number(inURI: text) : text
            let digits = text.reversed().prefix(while: \.isDigit).count
            let head = text.dropLast(digits).trimmingSuffix { " .:=".contains($0) }
            let word = head.reversed().prefix { $0.isLetter || $0 == "#" }.count
            let rest = head.dropLast(word).trimmingSuffix { " ,;".contains($0) }
            // If few digits remain, the word may hide others.
            if Self.words.contains(head.suffix(word).lowercased()),
                rest.count(where: \.isDigit) >= Phone.digitCounts.lowerBound
            {
                number = Self.withoutParentheses(String(rest))
                extensionDigits = text.suffix(digits)
            } else {
                number = Self.withoutParentheses(text)
            }
        }

        /// The number without parentheses around its country code, and without the zero of a national
        /// number in parentheses, which is not dialed after a country code.
        private static func withoutParentheses(_ text: String) -> String {
            var number = text
            if number.hasPrefix("(+"), let end = number.firstIndex(of: ")") {
                number.remove(at: end)
                number.removeFirst()
            }
            if number.hasPrefix("+") { number.replace("(0)", with: "", maxReplacements: 1) }
            return ContactText.plain(number)
        }

        /// The number in a `tel:` URI, with its extension as text.
        private static func number(inURI text: String) -> String {
            let parts = ContactText.percentDecoded(text.dropFirst(4)).split(separator: ";")
            var number = ContactText.plain(String((parts.first ?? "").drop { $0 == "/" }))
            var extensionDigits: Substring?
            for parameter in parts.dropFirst() {
                let pair = parameter.split(separator: "=", maxSplits: 1)
                guard pair.count == 2 else { continue }
                switch pair[0].lowercased() {
                case "ext": extensionDigits = pair[1]
                case "phone-context" where pair[1].hasPrefix("+") && !number.hasPrefix("+"):
                    number = "\(pair[1]) \(number)"
                default: break
                }
            }
            return number + (extensionDigits.map { " ext. \($0)" } ?? "")
        }
    }
}

/// The last digits of a phone number, or a whole number, by which someone looks for appointments.
public struct PhoneEnding: Sendable {
    /// The minimum number of digits.
    public static let minimumDigits = 4

    private let digits: String
    private let phone: Phone

    /// Reads digits in any form.
    ///
    /// - Throws: An error with the reason if there are too few, or anything but a phone number.
    public init(_ text: String) throws(InvalidContactError) {
        let number = Phone.Parts(ContactText.plain(text)).number
        digits = String(number.filter(\.isDigit))
        phone = Phone(text)
        let isNumber = number.allSatisfy { $0.isDigit || "+ -./()".contains($0) }
        guard isNumber, digits.count >= Self.minimumDigits else {
            throw InvalidContactError(ending: Self.minimumDigits)
        }
    }

    /// Whether a number ends with the digits, or may be the same number in a different form. Of a
    /// number with hidden digits, only those after the hidden ones count.
    public func matches(_ text: String) -> Bool {
        let number = Phone.Parts(ContactText.plain(text)).number
        let shown = number.reversed().prefix { $0.isDigit || "+ -./()".contains($0) }
        return String(shown.filter(\.isDigit).reversed()).hasSuffix(digits)
            || phone.matches(Phone(text))
    }
}

/// An email address.
public enum Email {
    /// The maximum length, in bytes (RFC 5321).
    public static let maximumBytes = 254

    /// What is meant by an address that someone typed or pasted, without surrounding white space,
    /// invisible characters, and `mailto:`; nil if nothing remains.
    ///
    /// - Throws: An error with the reason if that is not an email address: two nonempty parts around
    ///   one `@`, without white space or control characters.
    public static func normalized(_ text: String) throws(InvalidContactError) -> String? {
        var address = ContactText.plain(text)
        if address.lowercased().hasPrefix("mailto:") {
            address = ContactText.plain(String(address.dropFirst(7)))
        }
        if address.isEmpty { return nil }
        let unusual = address.unicodeScalars.first {
            $0 == " " || $0.properties.generalCategory == .control
        }
        if let unusual {
            let shown = ContactText.shown(Character(unusual))
            throw InvalidContactError(email: "contains \(shown)")
        }
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count > 1 else { throw InvalidContactError(email: "has no @") }
        guard parts.count == 2 else {
            throw InvalidContactError(email: "has more than one @")
        }
        guard parts.allSatisfy({ !$0.isEmpty }) else {
            throw InvalidContactError(email: "has nothing before or after the @")
        }
        guard address.utf8.count <= maximumBytes else {
            throw InvalidContactError(email: "has more than \(maximumBytes) bytes")
        }
        return address
    }
}

/// Why a text is not a phone number or an email address.
public struct InvalidContactError: Error, Sendable, Hashable {
    /// What the text must be, and why it is not.
    public var reason: String

    fileprivate init(phone problem: String) {
        reason = "must be a phone number like +49 30 1234567, and \(problem)"
    }

    fileprivate init(ending minimum: Int) {
        reason = "must be the last digits of a phone number, at least \(minimum)"
    }

    fileprivate init(email problem: String) {
        reason = "must be an email address like ada@example.com, and \(problem)"
    }
}

/// Text as people paste it from web pages, documents, and spreadsheets.
enum ContactText {
    /// The text without invisible characters and surrounding white space, with single spaces, ASCII
    /// digits, and plain forms of hyphens and full-width characters.
    static func plain(_ text: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !scalar.isInvisible {
            let scalar = scalar.plain
            if scalar == " ", plain.isEmpty || plain.last == " " { continue }
            plain.append(scalar)
        }
        if plain.last == " " { plain.removeLast() }
        return String(plain)
    }

    /// The text without percent encoding (RFC 3986).
    static func percentDecoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let code = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), rest.count >= 2, let value = UInt8(code, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A character for a message: quoted, or its code if it cannot be seen.
    static func shown(_ character: Character) -> String {
        if character == " " { return "a space" }
        let scalar = character.unicodeScalars.first ?? " "
        switch scalar.properties.generalCategory {
        case .control, .format, .unassigned, .privateUse, .surrogate, .lineSeparator,
            .paragraphSeparator, .spaceSeparator:
            return "U+" + String(scalar.value, radix: 16, uppercase: true)
        default: return "\"\(character)\""
        }
    }
}

extension Character {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}

extension Substring {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
        dropLast(reversed().prefix(while: isTrimmed).count)
    }
}

extension Unicode.Scalar {
    /// Whether the character only affects the layout: marks of the direction, zero-width characters,
    /// soft hyphens, and byte order marks.
    fileprivate var isInvisible: Bool {
        switch value {
        case 0x00AD, 0x061C, 0x180E, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069,
            0xFE00...0xFE0F,
            0xFEFF:
            true
        default: false
        }
    }

    /// The ASCII character that is meant; the character itself if there is none.
    fileprivate var plain: Unicode.Scalar {
        if isASCII { return value >= 0x09 && value <= 0x0D ? " " : self }
        if properties.isWhitespace { return " " }
        if properties.numericType == .decimal, let number = properties.numericValue,
            let digit = Unicode.Scalar(0x30 + UInt32(number))
        {
            return digit
        }
        switch value {
        case 0x2010...0x2015, 0x2043, 0x2212, 0xFE58, 0xFE63: return "-"
        // The full-width forms of ASCII.
        case 0xFF01...0xFF5E: return Unicode.Scalar(value - 0xFEE0) ?? self
        case 0xFE62: return "+"
        default: return self
        }
    }
}
