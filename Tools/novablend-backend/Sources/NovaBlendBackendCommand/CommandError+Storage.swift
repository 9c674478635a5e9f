import BookingStorage
import CommandLineKit

extension CommandError {
    /// The error of a command for a failure of the storage.
    ///
    /// - Parameter problem: What the failure prevents.
    init(_ failure: StorageFailure, _ problem: String = "the database failed") {
        let code: ExitCode =
            switch failure.kind {
            case .locked, .overloaded, .unreachable: .unavailable
            case .corrupted, .newerSchema: .failure
            default: .inputOutput
            }
        self.init(code, "\(problem): \(failure)", underlyingError: failure)
    }

    /// The error of a command for an error of the store.
    init(_ error: StoreError) {
        if case .unavailable(let failure) = error {
            self.init(failure)
        } else {
            self.init(.failure, "the database failed: \(error)", underlyingError: error)
        }
    }
}
