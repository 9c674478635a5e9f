/// On whose behalf requests are sent, as far as that is known.
///
/// What one caller sees of a server says nothing about the appointments of a different caller.
public struct Caller: Sendable, Hashable {
    /// The server's name for the caller, where its list of appointments states one.
    public var subject: String?
    /// Where the credentials come from, in words that reveal nothing.
    public var credential: String

    /// Describes a caller.
    public init(subject: String? = nil, credential: String) {
        self.subject = subject
        self.credential = credential
    }

    /// Whether both are one caller: by subject if both have one, otherwise by credential.
    public func isSame(as other: Caller) -> Bool {
        if let subject, let otherSubject = other.subject { return subject == otherSubject }
        return credential == other.credential
    }
}
