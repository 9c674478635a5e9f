import Glibc
import Testing

@testable import Networking

@Suite("A wakeup")
struct PollDescriptorsTests {
    @Test("stays set until the loop thread waits, which clears it")
    func wakeup() throws {
        let descriptors = try #require(PollDescriptors())
        var events = PollEvents(capacity: 8)
        descriptors.wait(&events, milliseconds: 0)
        #expect(events.count == 0)
        descriptors.wake()
        descriptors.wake()
        descriptors.waitForWakeup(milliseconds: -1)
        #expect(!descriptors.waitInline(&events, microseconds: 900_000) && events.count == 0)
        descriptors.wait(&events, milliseconds: -1)
        #expect(events.count == 0)
        descriptors.wait(&events, milliseconds: 0)
        #expect(!descriptors.waitInline(&events, microseconds: 1) && events.count == 0)
    }

    @Test("is not mistaken for an event of a socket, in any order", arguments: [true, false])
    func besideSockets(isFirst: Bool) throws {
        let descriptors = try #require(PollDescriptors())
        let table = SocketTable(descriptors)
        let sockets = (0..<3).map { _ in table.open(AF_INET, Int32(SOCK_DGRAM.rawValue), 0) }
        defer { for socket in sockets { _ = table.close(socket) } }
        if isFirst { descriptors.wake() }
        for socket in sockets { table.setWanted(.writable, of: socket) }
        if !isFirst { descriptors.wake() }
        var events = PollEvents(capacity: 8)
        #expect(!descriptors.waitInline(&events, microseconds: 1_000))
        #expect(events.sockets.map(\.socket).sorted() == sockets)
        descriptors.wait(&events, milliseconds: -1)
        #expect(events.sockets.map(\.socket).sorted() == sockets)
        #expect(descriptors.waitInline(&events, microseconds: 1_000))
        #expect(events.sockets.map(\.socket).sorted() == sockets)
    }
}
