import JSON
import Synchronization
import Testing

@testable import JSONRPC

@Suite("Requests to the peer", .timeLimit(.minutes(1)))
struct OutgoingRequestsTests {
    @Test("in a cancelled task, a request is not sent and fails with -32800")
    func cancelledTask() async {
        let messages = Messages()
        let task = Task { () -> RPCError? in
            withUnsafeCurrentTask { $0?.cancel() }
            let response = await OutgoingRequests(idPrefix: "").request { id in
                messages.add("sent \(id)")
            } onCancel: { id in
                messages.add("cancelled \(id)")
            }
            guard case .failure(let error) = response else { return nil }
            return error
        }
        let error = await task.value
        #expect(error == .requestCancelled)
        #expect(messages.all.isEmpty)
    }

    @Test("ids are a prefix and a number, and each response reaches its request")
    func ids() async throws {
        let requests = OutgoingRequests(idPrefix: "me-")
        let ids = Messages()
        for value in ["1", "2"] {
            let response = await requests.request { id in
                ids.add(id)
                let value = try? JSONDocument(parsing: Array(value.utf8)).root
                if let value { requests.receive(.success(value), for: id) }
            } onCancel: { _ in
            }
            let number = try response.get().integer()
            #expect(number == Int(value))
        }
        #expect(ids.all == ["me-1", "me-2"])
    }

    @Test("after the connection has ended, every request fails")
    func closed() async {
        let requests = OutgoingRequests(idPrefix: "")
        requests.close()
        let response = await requests.request { _ in
        } onCancel: { _ in
        }
        guard case .failure(let error) = response else {
            Issue.record("the request did not fail")
            return
        }
        #expect(error == .connectionEnded)
    }
}

/// A log of the callbacks.
private final class Messages: Sendable {
    private let messages = Mutex<[String]>([])

    var all: [String] { messages.withLock(\.self) }

    func add(_ message: String) { messages.withLock { $0.append(message) } }
}
