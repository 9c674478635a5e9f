import Domain
import Persistence
import Synchronization

/// Counts the changes of an account in a file that all processes with this account share. Appointments
/// and salons have separate counters.
package final class FileChangeCounter: ChangeCounter {
    private let counter: FileCounter
    /// The number of failed writes and reads of the file. This number is added to the counter, so
    /// that a failure counts as a change.
    private let unrecorded = Atomic<UInt64>(0)

    /// Whether a failed read of the file counts as a change.
    private let countsFailedReads: Bool

    /// Creates the counter `name` in the account's `subdirectory` of the state directory.
    ///
    /// If the file cannot be read, the changes of other processes are not known. By default a failed
    /// read then counts as a change. Without `countsFailedReads`, only the changes of this process
    /// count, so that the resource can be cached without a state directory.
    package init(
        directory: String,
        subdirectory: String,
        name: String = "changes",
        countsFailedReads: Bool = true
    ) {
        counter = FileCounter(directory: directory, subdirectory: subdirectory, name: name)
        self.countsFailedReads = countsFailedReads
    }

    package var value: UInt64 {
        do {
            return try counter.value() &+ unrecorded.load(ordering: .acquiring)
        } catch {
            // The journal cannot use an insecure directory either, so no process can send a change.
            let isInsecure = if case .insecure = error.reason { true } else { false }
            if isInsecure || !countsFailedReads { return unrecorded.load(ordering: .acquiring) }
            return unrecorded.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
        }
    }

    func advance() {
        do {
            try counter.advance()
        } catch {
            unrecorded.wrappingAdd(1, ordering: .acquiringAndReleasing)
        }
    }
}
