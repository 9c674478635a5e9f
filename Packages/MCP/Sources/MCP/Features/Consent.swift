public import JSONRPC

/// When a server asks the user before it runs a tool that has a ``Confirmation``.
///
/// A question that failed, was refused, or got no answer in time is never consent: the call changes
/// nothing and fails.
public struct Consent: Sendable {
    /// Which calls need the consent of the user.
    public enum Policy: String, Sendable, CaseIterable {
        /// All calls with a confirmation need consent. If the client cannot ask its user, they
        /// fail.
        case always
        /// All calls with a confirmation need consent if the client can ask its user. Otherwise
        /// they run without a question.
        case whenPossible = "when-possible"
        /// Calls with a confirmation need consent if the client can ask its user, except for calls
        /// whose confirmation is explicit (``Confirmation/isExplicit``).
        case destructive
        /// No calls need consent.
        case never
    }

    /// Which calls need the consent of the user.
    public var policy: Policy
    /// How long a question waits for an answer, rounded to milliseconds. In revisions without a
    /// handshake, nothing waits: the answer is rejected if it arrives later.
    public var timeout: Duration
    /// Makes the error of a call that the user did not confirm.
    public var makeError: @Sendable (ConsentFailure) -> RPCError
    /// Returns the present time. Only tests replace it.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }

    /// Creates a policy. By default, the server asks when it can, and waits for 4 minutes.
    public init(
        _ policy: Policy = .whenPossible,
        timeout: Duration = .seconds(240),
        makeError: @escaping @Sendable (ConsentFailure) -> RPCError = {
            RPCError(code: 1, message: "\($0); nothing was done")
        }
    ) {
        (self.policy, self.timeout, self.makeError) = (policy, timeout, makeError)
    }
}

/// Why the user did not confirm a call.
public enum ConsentFailure: Sendable, Hashable, CustomStringConvertible {
    /// The user declined, or did not check the box.
    case declined
    /// The user closed the question.
    case dismissed
    /// The client refused so fast that no person can have read the question.
    case refusedAtOnce
    /// The client's answer does not fit the form. The associated value says what is wrong.
    case invalidAnswer(String)
    /// No answer arrived in time.
    case timedOut(Duration)
    /// The client answered with this error.
    case failed(String)
    /// The client cannot ask its user.
    case unsupported

    /// The shortest time in which a person can answer. A refusal that arrives earlier is
    /// ``refusedAtOnce``.
    static let shortestReadingTime = Duration.milliseconds(500)

    /// The reason why the call was not confirmed, as a clause.
    public var description: String {
        switch self {
        case .declined: "the user declined the question"
        case .dismissed: "the user closed the question without an answer"
        case .refusedAtOnce:
            "the client refused the question faster than a person can read it, so it probably cannot"
                + " ask its user"
        case .invalidAnswer(let problem):
            "the client's answer to the question is invalid: \(problem)"
        case .timedOut(let timeout): "no one answered the question within \(timeout)"
        case .failed(let message): "the client could not ask the user: \(message)"
        case .unsupported: "the client cannot ask its user"
        }
    }
}
