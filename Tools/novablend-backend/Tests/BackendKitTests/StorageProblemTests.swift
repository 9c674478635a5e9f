import BookingStorage
import Contract
import HTTPServing
import Testing

@testable import BackendKit

@Suite("The response to a failure of the storage")
struct StorageProblemTests {
    private func problem(_ kind: StorageFailure.Kind) -> Problem {
        .unavailable(StorageFailure(kind, ""))
    }

    @Test(
        "is 503 with Retry-After if the request can succeed soon",
        arguments: [StorageFailure.Kind.locked, .overloaded, .unreachable]
    )
    func transient(kind: StorageFailure.Kind) {
        #expect(problem(kind).kind == .storage)
        #expect(problem(kind).response.headers["Retry-After"] == "1")
    }

    @Test("is 503 without Retry-After if the change may have been made, and says so")
    func inDoubt() {
        let problem = problem(.inDoubt)
        #expect(problem.kind == .storage)
        #expect(problem.message.contains("may have been made"))
        #expect(problem.response.headers["Retry-After"] == nil)
    }
}
