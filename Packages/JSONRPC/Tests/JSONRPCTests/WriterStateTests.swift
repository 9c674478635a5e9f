import Glibc
import JSON
import Testing

@testable import JSONRPC

@Suite("The state of a message writer")
struct WriterStateTests {
    @Test("after closing, a message is dropped and counts no bytes")
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
