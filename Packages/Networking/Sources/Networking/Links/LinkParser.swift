/// Parses the value of one `Link` field (RFC 8288, section 3 and appendix B).
///
/// After an invalid link it continues at the next comma, so that the error does not hide the links
/// after it: a proxy may have joined several fields into one.
struct LinkParser {
    private let bytes: [UInt8]
    private var index = 0
    private(set) var links: [HTTPLink] = []
    private(set) var isMalformed = false

    init(_ value: String) { bytes = Array(value.utf8) }

    mutating func parse() {
        while true {
            // A list may have empty elements (RFC 9110, section 5.6.1).
            skip { $0 == .comma || $0.isBlank }
            if index == bytes.count { return }
            if let link = link() {
                links.append(link)
            } else {
                isMalformed = true
                skipToComma()
            }
        }
    }

    /// A link up to the comma after it, or up to the end; nil if it is invalid.
    private mutating func link() -> HTTPLink? {
        guard consume(.lessThan), let end = bytes[index...].firstIndex(of: .greaterThan) else {
            return nil
        }
        let target = bytes[index..<end]
        index = end + 1
        guard target.allSatisfy(\.isTargetByte) else { return nil }
        var link = HTTPLink(target: String(decoding: target, as: UTF8.self))
        var hasRelations = false
        while true {
            skip(\.isBlank)
            if index == bytes.count || bytes[index] == .comma { return link }
            guard consume(.semicolon) else { return nil }
            skip(\.isBlank)
            // A parameter may be missing (appendix B.3).
            if index == bytes.count || bytes[index] == .comma || bytes[index] == .semicolon {
                continue
            }
            guard let (name, value) = parameter() else { return nil }
            if name == "rel", !hasRelations {
                // Only the first `rel` parameter counts (section 3.3).
                hasRelations = true
                link.relations = value.lowercased().split { $0 == " " || $0 == "\t" }.map(
                    String.init
                )
            } else if name == "anchor" {
                link.anchor = value
            }
        }
    }

    private mutating func parameter() -> (name: String, value: String)? {
        let start = index
        skip(\.isTokenByte)
        guard index > start else { return nil }
        let name = String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
        skip(\.isBlank)
        guard consume(.equals) else { return (name, "") }
        skip(\.isBlank)
        return value().map { (name, $0) }
    }

    /// A quoted string, or the text up to the next separator. Servers write media types and URLs
    /// without quotes, although those are not tokens.
    private mutating func value() -> String? {
        if consume(.quote) { return quotedString() }
        let start = index
        skip { !$0.isBlank && $0 != .comma && $0 != .semicolon && $0 != .quote }
        return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
    }

    /// The text up to the closing quote, without the backslashes that escape characters (RFC 9110,
    /// section 5.6.4); nil if there is no closing quote.
    private mutating func quotedString() -> String? {
        var text: [UInt8] = []
        while index < bytes.count {
            if consume(.quote) { return String(decoding: text, as: UTF8.self) }
            if consume(.backslash), index == bytes.count { return nil }
            text.append(bytes[index])
            index += 1
        }
        return nil
    }

    /// Skips to the next comma that is not quoted or part of a target.
    private mutating func skipToComma() {
        while index < bytes.count, bytes[index] != .comma {
            if consume(.quote) {
                _ = quotedString()
            } else if bytes[index] == .lessThan {
                index = bytes[index...].firstIndex(of: .greaterThan) ?? bytes.count
            } else {
                index += 1
            }
        }
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func skip(_ condition: (UInt8) -> Bool) {
        while index < bytes.count, condition(bytes[index]) { index += 1 }
    }
}

extension UInt8 {
    fileprivate static let comma = UInt8(ascii: ",")
    fileprivate static let semicolon = UInt8(ascii: ";")
    fileprivate static let equals = UInt8(ascii: "=")
    fileprivate static let quote = UInt8(ascii: "\"")
    fileprivate static let backslash = UInt8(ascii: "\\")
    fileprivate static let lessThan = UInt8(ascii: "<")
    fileprivate static let greaterThan = UInt8(ascii: ">")

    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// Whether a target may contain the byte. Bytes outside ASCII are accepted, because libcurl
    /// encodes them.
    fileprivate var isTargetByte: Bool {
        self > 0x20 && self != 0x7F && self != .quote && self != .lessThan
    }
}
