/// The identity that requests are sent under, as far as it is known.
///
/// A server may show each caller only its own appointments, so one caller's list says nothing about
/// the appointments of a different caller.
public struct Caller: Sendable, Hashable {
    /// What stands for the `subject` that the server's list of appointments states; nil if it states
    /// none. A subject may contain personal data, such as a phone number, so it should be a hash.
    public var subject: String?
    /// The source of the credentials. It reveals no secret.
    public var credential: String

    /// Creates a caller.
    public init(subject: String? = nil, credential: String) {
        self.subject = subject
        self.credential = credential
    }

    /// Whether both are the same caller. Compares subjects if both have one, otherwise credentials.
    public func isSame(as other: Caller) -> Bool {
        if let subject, let otherSubject = other.subject { return subject == otherSubject }
        return credential == other.credential
    }
}
