import Domain
import Synchronization

/// The caller on whose behalf this process sends requests. The server names its subject.
package final class CallerIdentity: Sendable {
    private let known: Mutex<Caller>

    /// Makes an identity that only knows where the credentials come from.
    package init(credential: String) { known = Mutex(Caller(credential: credential)) }

    var caller: Caller { known.withLock(\.self) }

    /// Records the subject in the server's list; nil if the list does not name one.
    package func note(subject: String?) { known.withLock { $0.subject = subject } }
}
