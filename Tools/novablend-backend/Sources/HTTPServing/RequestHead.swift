import Glibc
import NovaBlendMicroHTTPD

/// A request without its body, after all checks of its syntax.
struct RequestHead {
    enum Length: Hashable {
        /// Given by `Content-Length`; 0 without that field.
        case known(Int)
        case chunked
    }

    let method: String
    let target: RequestTarget
    let headers: HeaderFields
    let length: Length
    /// The value of `Host`; nil in a request of HTTP/1.0 without it.
    let host: String?

    /// Checks a request that libmicrohttpd has parsed (RFC 9112, sections 2 to 6).
    init(
        _ exchange: Exchange,
        method: UnsafePointer<CChar>,
        version: UnsafePointer<CChar>
    ) throws(Rejection) {
        let received = ReceivedHeader(exchange, method: method, version: version)
        guard received.isExact else {
            throw .malformed("the header contains NUL, a folded line, or a line without CRLF")
        }
        guard received.isPlain else {
            throw .malformed("a header field contains an invalid character")
        }
        headers = received.fields
        self.method = String(cString: method)
        guard !self.method.isEmpty, self.method.utf8.allSatisfy(\.isTokenCharacter) else {
            throw .malformed("the method is empty or contains an invalid character")
        }
        target = try RequestTarget(exchange.target[...])
        let version = String(cString: version)
        length = try Self.length(headers, version)
        let hosts = headers.values(of: "Host")
        guard hosts.count == 1 || (hosts.isEmpty && version == "HTTP/1.0") else {
            throw .malformed("there must be exactly one Host field")
        }
        host = hosts.first
    }

    private static func length(_ headers: HeaderFields, _ version: String) throws(Rejection)
        -> Length
    {
        let lengths = headers.values(of: "Content-Length")
        let codings = headers.values(of: "Transfer-Encoding")
        guard lengths.count + codings.count <= 1 else {
            throw .malformed("the length of the body is given more than once")
        }
        if let coding = codings.first {
            guard coding.equalsIgnoringCase("chunked"), version != "HTTP/1.0" else {
                throw .malformed("the only Transfer-Encoding is chunked, in HTTP/1.1")
            }
            return .chunked
        }
        guard let text = lengths.first else { return .known(0) }
        guard let length = Int(text), text.utf8.allSatisfy(\.isDigit) else {
            throw .malformed("Content-Length is not a length")
        }
        return .known(length)
    }

    /// Checks the host in the target and in `Host`.
    func checkHost() throws(Rejection) {
        guard target.authority.map({ Authority($0) != nil }) ?? true else {
            throw .malformed("the target contains no host and port")
        }
        guard let host else { return }
        guard Authority(host) != nil else { throw .malformed("Host is not a host and port") }
        guard target.authority?.equalsIgnoringCase(host) ?? true else {
            throw .malformed("the target and Host differ")
        }
    }
}

/// The header of the current request of a connection, as libmicrohttpd received it.
///
/// libmicrohttpd accepts more than it should: lines that end without a carriage return, folded
/// lines, and NUL, after which it ignores the rest of a line. It reads a header into one buffer and
/// replaces only the delimiters, so all this leaves a gap between the strings or moves them.
struct ReceivedHeader {
    let fields: HeaderFields
    /// Whether the header consists of exactly these strings and single delimiters.
    let isExact: Bool
    /// Whether all names are tokens, and no value contains control characters.
    let isPlain: Bool

    init(_ exchange: Exchange, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>) {
        var scan = Scan()
        scan.position = UInt(bitPattern: method)
        // The method and a space, the target and a space, the version and CRLF.
        scan.skip(UInt(bitPattern: method), strlen(method) + 1)
        scan.skip(exchange.targetPosition, exchange.target.count + 1)
        scan.skip(UInt(bitPattern: version), strlen(version) + 2)
        withUnsafeMutablePointer(to: &scan) { pointer in
            _ = MHD_get_connection_values_n(
                exchange.connection,
                .HEADER_KIND,
                { context, _, name, nameCount, value, valueCount in
                    let scan = context?.assumingMemoryBound(to: Scan.self)
                    scan?.pointee.add(
                        UnsafeRawBufferPointer(start: name, count: nameCount),
                        UnsafeRawBufferPointer(start: value, count: valueCount)
                    )
                    return .YES
                },
                pointer
            )
        }
        // The empty line.
        scan.skip(scan.position, 2)
        fields = scan.fields
        isPlain = scan.isPlain
        let end = UInt(bitPattern: method) + UInt(nb_mhd_header_size(exchange.connection))
        isExact = scan.isExact && scan.position == end
    }

    private struct Scan {
        var fields = HeaderFields()
        var position: UInt = 0
        var isExact = true
        var isPlain = true

        mutating func skip(_ start: UInt, _ count: Int) {
            if start != position { isExact = false }
            position = start &+ UInt(count)
        }

        mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
            let start = UInt(bitPattern: name.baseAddress)
            let valueStart = UInt(bitPattern: value.baseAddress)
            skip(start, name.count + 1)
            // Spaces between the colon and the value.
            if valueStart < position { isExact = false }
            position = valueStart &+ UInt(value.count) &+ 2
            var count = value.count
            // libmicrohttpd takes a transfer coding with a space at its end for a different one.
            let isTrimmed = !name.elementsEqual("transfer-encoding".utf8) { $0.lowercased == $1 }
            while isTrimmed, count > 0, value[count - 1].isBlank { count -= 1 }
            let text = UnsafeRawBufferPointer(rebasing: value[..<count])
            if name.isEmpty || !name.allSatisfy(\.isTokenCharacter)
                || !text.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 })
            {
                isPlain = false
            }
            fields.append(
                String(decoding: text, as: UTF8.self),
                for: String(decoding: name, as: UTF8.self)
            )
        }
    }
}

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
