import WebPrimitives

/// A host with an optional port, and nothing else (RFC 3986, section 3.2).
struct Authority: Sendable, Hashable {
    /// A name or an address in lower case, without brackets.
    let host: String
    var port: UInt16?

    /// Parses a name or an address, such as `example.com`, `192.0.2.1:80`, or `[2001:db8::1]:80`; nil
    /// if the text is something else.
    init?(_ text: String) {
        var rest = Array(text.utf8.map(\.lowercased))[...]
        let host: ArraySlice<UInt8>
        if rest.first == UInt8(ascii: "[") {
            guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = rest[..<end].dropFirst()
            rest = rest[(end + 1)...]
            self.host = String(decoding: host, as: UTF8.self)
            guard host.contains(UInt8(ascii: ":")), IPAddress(self.host) != nil else { return nil }
        } else {
            host = rest.prefix { $0 != UInt8(ascii: ":") }
            rest = rest[host.endIndex...]
            self.host = String(decoding: host, as: UTF8.self)
            guard !host.isEmpty, host.allSatisfy(Self.isPartOfName) else { return nil }
        }
        guard let colon = rest.popFirst() else { return }
        guard colon == UInt8(ascii: ":"), rest.allSatisfy(\.isDigit),
            let port = UInt16(String(decoding: rest, as: UTF8.self))
        else { return nil }
        self.port = port
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        byte.isDigit || byte.isASCIILetter || "-._".utf8.contains(byte)
    }
}

extension Authority: CustomStringConvertible {
    /// The host, in brackets if it is an IPv6 address, and the port.
    var description: String {
        let host = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return port.map { "\(host):\($0)" } ?? host
    }
}
