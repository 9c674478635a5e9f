import HTTPServing

extension Problem {
    /// The name of the field with a challenge (RFC 9110, section 11.6.1).
    static let challengeField = "WWW-Authenticate"

    /// A challenge for a client that must send a token, or a different one (RFC 6750, section 3).
    private static func challenge(error: String? = nil) -> String {
        #"Bearer realm="novablend""# + (error.map { #", error="\#($0)""# } ?? "")
    }

    /// The challenge of a response of a kind; nil if it has none.
    static func challenge(of kind: Kind) -> String? {
        switch kind {
        case .notAuthenticated: challenge()
        case .notAllowed: challenge(error: "insufficient_scope")
        default: nil
        }
    }

    /// The request has no token.
    static let missingToken = Problem(
        .notAuthenticated,
        "a token is required, as in: Authorization: Bearer nvb_..."
    )

    /// The token is unknown, has expired, or was revoked. The response does not say which.
    static let invalidToken = Problem(
        .notAuthenticated,
        "the token is not valid",
        headers: [challengeField: challenge(error: "invalid_token")]
    )

    /// The database has no tokens, so only this machine is served.
    static let notLoopback = Problem(
        .notAuthenticated,
        "without tokens, only programs on the machine of the backend are served; create a token "
            + "with novablend-backend tokens create"
    )

    /// Without tokens, a request that a web page has caused must not count as local.
    static let foreignHost = Problem(
        .foreignHost,
        "without tokens, the host must be localhost, a loopback address, or that of --public-url"
    )

    static func malformedCredentials(_ message: String) -> Problem {
        let fields: HeaderFields = [challengeField: challenge(error: "invalid_request")]
        return Problem(.malformedRequest, message, headers: fields)
    }
}
