import Domain
import Synchronization

/// On whose behalf this process sends requests, as far as the server has said so.
package final class CallerIdentity: Sendable {
    private let known: Mutex<Caller>

    /// Begins with where the credentials come from.
    package init(credential: String) { known = Mutex(Caller(credential: credential)) }

    var caller: Caller { known.withLock(\.self) }

    /// Notes what the server's list says; nil where it does not name the caller.
    package func note(subject: String?) { known.withLock { $0.subject = subject } }
}
