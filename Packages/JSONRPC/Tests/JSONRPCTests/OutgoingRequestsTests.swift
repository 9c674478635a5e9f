import JSON
import Synchronization
import Testing

@testable import JSONRPC

@Suite("The questions to the peer", .timeLimit(.minutes(1)))
struct OutgoingRequestsTests {
    @Test("one asked in a cancelled task is not sent, and fails as cancelled")
    func cancelledTask() async {
        let messages = Messages()
        let asking = Task { () -> RPCError? in
            withUnsafeCurrentTask { $0?.cancel() }
            let answer = await OutgoingRequests().ask { id in
                messages.add("sent \(id)")
            } abandon: { id in
                messages.add("abandoned \(id)")
            }
            guard case .failure(let error) = answer else { return nil }
            return error
        }
        let error = await asking.value
        #expect(error == .requestCancelled)
        #expect(messages.all.isEmpty)
    }
}

/// What was done with a question.
private final class Messages: Sendable {
    private let messages = Mutex<[String]>([])

    var all: [String] { messages.withLock(\.self) }

    func add(_ message: String) { messages.withLock { $0.append(message) } }
}
