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
        let scheme = field.prefix { $0 != " " }
        guard scheme.lowercased() == "bearer" else { return nil }
        let token = field.dropFirst(scheme.count).drop { $0 == " " }
        guard Self.isToken(token) else {
            throw .malformedCredentials("the Authorization field must be Bearer and a token")
        }
        return String(token)
    }

    /// Whether the text is a `b64token`.
    private static func isToken(_ text: Substring) -> Bool {
        let unpadded = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }
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
