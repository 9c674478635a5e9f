/// The credentials cannot be read or are invalid. The error never contains a secret.
public struct CredentialError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason.
    public let description: String
    /// What to do about it.
    public let advice: String

    init(_ description: String, advice: String) {
        self.description = description
        self.advice = advice
    }

    static func malformed(_ source: String) -> CredentialError {
        CredentialError(
            "\(source) has no valid token in its first line (RFC 6750, section 2.1)",
            advice: "a token consists of letters, digits, and -._~+/ and may end with ="
        )
    }
}
