/// The target of a request, decoded (RFC 9112, section 3.2).
struct RequestTarget {
    /// The host and port of a target in absolute form; nil in origin form.
    var authority: String?
    var path: String
    var query: QueryParameters

    init(_ bytes: ArraySlice<UInt8>) throws(Rejection) {
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
            throw .malformed("the target contains a character that must be percent-encoded")
        }
        var rest = bytes
        if rest.first != UInt8(ascii: "/"), rest != [UInt8(ascii: "*")] {
            authority = try Self.takeAuthority(from: &rest)
        }
        let end = rest.firstIndex(of: UInt8(ascii: "?")) ?? rest.endIndex
        path = try Self.decode(rest[..<end], plusIsSpace: false)
        if path.isEmpty { path = "/" }
        query = try Self.parameters(rest[end...].dropFirst())
    }

    /// Removes `http://host:port`.
    private static func takeAuthority(
        from rest: inout ArraySlice<UInt8>
    ) throws(Rejection) -> String {
        let text = String(decoding: rest, as: UTF8.self)
        guard
            let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) })
        else { throw .malformed("the target must begin with a slash") }
        let start = rest.dropFirst(scheme.utf8.count)
        let end = start.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        rest = start[(end ?? start.endIndex)...]
        return String(decoding: start[..<(end ?? start.endIndex)], as: UTF8.self)
    }

    private static func parameters(_ bytes: ArraySlice<UInt8>) throws(Rejection) -> QueryParameters
    {
        var parameters: [(name: String, value: String)] = []
        if bytes.isEmpty { return QueryParameters() }
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            let equals = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            parameters.append(
                (
                    try decode(part[..<equals], plusIsSpace: true),
                    try decode(part[equals...].dropFirst(), plusIsSpace: true)
                )
            )
        }
        return QueryParameters(parameters)
    }

    /// Decodes percent-encoding. The result is UTF-8 without control characters.
    private static func decode(
        _ bytes: ArraySlice<UInt8>,
        plusIsSpace: Bool
    ) throws(Rejection) -> String {
        let isEncoded = bytes.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
        if !isEncoded { return String(decoding: bytes, as: UTF8.self) }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(hexValue),
                    let low = rest.popFirst().flatMap(hexValue)
                else { throw .malformed("a percent sign must be followed by two hex digits") }
                decoded.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: decoded.append(0x20)
            default: decoded.append(byte)
            }
        }
        guard decoded.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw .malformed("the target contains an encoded control character")
        }
        guard let text = String(validating: decoded, as: UTF8.self) else {
            throw .malformed("the target is not UTF-8")
        }
        return text
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        Character(Unicode.Scalar(digit)).hexDigitValue.map { UInt8($0) }
    }
}
