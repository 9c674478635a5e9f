import HTTPServing

extension ServerRequest {
    /// The token in `Authorization` (RFC 6750, section 2.1); nil without the field, or if it has a
    /// different scheme. Throws `malformedRequest` if there is more than one field, or if
    /// anything other than a token follows the scheme.
    func bearerToken() throws(Problem) -> String? {
        let fields = headers.values(of: "Authorization")
        guard let field = fields.first else { return nil }
        guard fields.count == 1 else {
            throw .malformedCredentials("there is more than one Authorization field")
        }
        let space = UInt8(ascii: " ")
        let scheme = field.utf8.prefix { $0 != space }
        // ASCII letters become lower case.
        guard scheme.elementsEqual("bearer".utf8, by: { $0 | 0x20 == $1 }) else { return nil }
        let token = field.utf8.dropFirst(scheme.count).drop { $0 == space }
        guard Self.isToken(token) else {
            throw .malformedCredentials("the Authorization field must be Bearer and a token")
        }
        return String(decoding: token, as: UTF8.self)
    }

    /// Whether the text is a `b64token`.
    private static func isToken(_ text: Substring.UTF8View) -> Bool {
        let unpadded = text.reversed().drop { $0 == UInt8(ascii: "=") }
        return !unpadded.isEmpty
            && unpadded.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"):
                    true
                default: false
                }
            }
    }
}
