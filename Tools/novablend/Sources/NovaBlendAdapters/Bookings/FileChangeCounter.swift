import Domain
import Persistence
import Synchronization

/// Counts the changes of an account in a file that all its processes share. Appointments and salons
/// have separate counters.
package final class FileChangeCounter: ChangeCounter {
    private let counter: FileCounter
    /// The number of failed writes and reads of the file. It is part of the value, so that a
    /// failure counts as a change.
    private let unrecorded = Atomic<UInt64>(0)

    /// Creates the counter `name` in the account's `subdirectory` of the state directory.
    package init(directory: String, subdirectory: String, name: String = "changes") {
        counter = FileCounter(directory: directory, subdirectory: subdirectory, name: name)
    }

    package var value: UInt64 {
        do throws(StoreError) {
            return try counter.value() &+ unrecorded.load(ordering: .acquiring)
        } catch {
            // The journal cannot use the directory either, so no process can send a change.
            if case .insecure = error.reason { return unrecorded.load(ordering: .acquiring) }
            return unrecorded.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
        }
    }

    func advance() {
        do throws(StoreError) {
            try counter.advance()
        } catch {
            unrecorded.wrappingAdd(1, ordering: .acquiringAndReleasing)
        }
    }
}
