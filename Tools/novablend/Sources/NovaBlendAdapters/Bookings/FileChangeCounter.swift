import Domain
import Persistence
import Synchronization

/// Counts the changes of an account in a file that all processes share.
package final class FileChangeCounter: ChangeCounter {
    private let counter: FileCounter
    /// Changes that could not be recorded, and failures to read. Both change the value.
    private let unrecorded = Atomic<UInt64>(0)

    /// Makes a counter in the account's `subdirectory` of the state directory.
    package init(directory: String, subdirectory: String) {
        counter = FileCounter(directory: directory, subdirectory: subdirectory, name: "changes")
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
