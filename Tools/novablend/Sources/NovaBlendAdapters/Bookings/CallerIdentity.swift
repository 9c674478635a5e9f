import Domain
import Synchronization

/// The caller of this process: the source of its credentials, and its subject if the server names
/// one.
package final class CallerIdentity: Sendable {
    private let known: Mutex<Caller>

    /// Creates an identity without a subject. `credential` says where the credentials come from.
    package init(credential: String) { known = Mutex(Caller(credential: credential)) }

    var caller: Caller { known.withLock(\.self) }

    /// Records the subject from the server's list; nil if the list does not name one.
    package func note(subject: String?) { known.withLock { $0.subject = subject } }
}
