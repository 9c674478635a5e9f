import BookingStorage
import Contract
import HTTPServing

extension Problem {
    /// The request has no token.
    static let missingToken = Problem(
        .notAuthenticated,
        "a token is required, as in: Authorization: Bearer nvb_..."
    )

    /// The database has no tokens, so only this machine is served.
    static let notLoopback = Problem(
        .notAuthenticated,
        "without tokens, only programs on the machine of the backend are served; create a token "
            + "with novablend-backend tokens create"
    )

    /// While the database has no tokens, a request that a web page has caused must not count as
    /// local.
    static let foreignHost = Problem(
        .foreignHost,
        "without tokens, the host must be localhost, a loopback address, or that of --public-url"
    )

    static func malformedCredentials(_ message: String) -> Problem {
        Problem(.malformedRequest, message, tokenError: "invalid_request")
    }
}

extension ServerRequest {
    /// The token in `Authorization` (RFC 6750, section 2.1); nil if the field is absent or has a
    /// different scheme. Throws `malformedRequest` if there is more than one field, or if anything
    /// other than a token follows the scheme.
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
            && unpadded.allSatisfy {
                $0.isDigit || $0.isASCIILetter || "-._~+/".utf8.contains($0)
            }
    }
}
