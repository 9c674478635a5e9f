import Glibc
import JSON
import Testing

@testable import JSONRPC

@Suite("The state of a message writer")
struct WriterStateTests {
    @Test(
        "a corked thread writes when a full chunk is queued",
        arguments: [(OutputQueue.chunkSize - 1, false), (OutputQueue.chunkSize, true)]
    )
    func corked(count: Int, isWritten: Bool) {
        var state = WriterState()
        state.corkedThread = pthread_self()
        // A newline follows the message.
        let message = JSONFragment(trusted: [UInt8](repeating: 0x61, count: count - 1))
        let (bytes, chunk) = state.send(message, by: pthread_self())
        #expect(bytes == count)
        #expect((chunk != nil) == isWritten)
    }

    @Test("after closing, messages are dropped and not counted")
    func closed() {
        var state = WriterState()
        #expect(state.close() != nil)
        #expect(state.isClosed)
        let (bytes, chunk) = state.send(JSONFragment { $0.integer(1) }, by: pthread_self())
        #expect(bytes == 0)
        #expect(chunk == nil)
        #expect(state.close() == nil)
    }
}
