import Foundation
import Synchronization
import SystemTestSupport
import Testing

@testable import Networking

@Suite("Wakeups", .timeLimit(.minutes(10)))
struct PollDescriptorsTests {
    private let descriptors: PollDescriptors

    init() throws { descriptors = try #require(PollDescriptors()) }

    /// Whether a wakeup is set. Like any inline poll, this does not clear it.
    private var isSet: Bool {
        var events = PollEvents(capacity: 8)
        let socket = SocketTable(descriptors).open(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(socket) }
        // Without a wakeup, the socket, which is always writable, ends the wait.
        descriptors.watch(socket, for: .writable)
        return !descriptors.waitInline(&events, microseconds: 900_000)
    }

    @Test(
        "A wakeup stays set until the loop thread waits, which clears it",
        arguments: [true, false]
    )
    func clearing(isParked: Bool) {
        var events = PollEvents(capacity: 8)
        #expect(!isSet)
        descriptors.wake()
        descriptors.wake()
        #expect(isSet && isSet)
        if isParked {
            descriptors.waitForWakeup(&events, milliseconds: -1)
        } else {
            descriptors.wait(&events, milliseconds: -1)
        }
        #expect(!isSet && events.count == 0)
    }

    private final class Waiter: Sendable {
        let thread = Mutex<String?>(nil)
    }

    @Test("A wakeup ends a wait, which does not end earlier", arguments: [true, false])
    func waiting(isParked: Bool) async throws {
        let descriptors = descriptors
        let waiter = Waiter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await onThread {
                    let thread = try Resources.ownThread()
                    waiter.thread.withLock { $0 = thread }
                    var events = PollEvents(capacity: 8)
                    if isParked {
                        descriptors.waitForWakeup(&events, milliseconds: -1)
                    } else {
                        descriptors.wait(&events, milliseconds: -1)
                    }
                    waiter.thread.withLock { $0 = nil }
                }
            }
            let isWaiting = try await eventually {
                try waiter.thread.withLock { $0 }.map(Resources.isWaiting) == true
            }
            #expect(isWaiting)
            descriptors.wake()
            try await group.waitForAll()
        }
        #expect(waiter.thread.withLock { $0 } == nil)
    }

    @Test("A wakeup is not reported if the system call fails")
    func failure() {
        // A buffer without capacity is invalid.
        var events = PollEvents(capacity: 0)
        descriptors.wake()
        descriptors.wait(&events, milliseconds: 0)
        #expect(events.count == 0)
        #expect(!descriptors.waitInline(&events, microseconds: 1) && events.count == 0)
    }

    @Test("A wait with a timeout ends without a wakeup")
    func timeout() {
        var events = PollEvents(capacity: 8)
        #expect(!descriptors.waitInline(&events, microseconds: 1) && events.count == 0)
        descriptors.wait(&events, milliseconds: 0)
        #expect(events.count == 0)
    }

    @Test(
        "A wakeup is not mistaken for a socket event, whatever their order",
        arguments: [true, false]
    )
    func besideSockets(isFirst: Bool) {
        let table = SocketTable(descriptors)
        let sockets = (0..<3).map { _ in table.open(AF_INET, Int32(SOCK_DGRAM.rawValue), 0) }
        defer { for socket in sockets { _ = table.close(socket) } }
        if isFirst { descriptors.wake() }
        for socket in sockets { table.setWanted(.writable, of: socket) }
        if !isFirst { descriptors.wake() }
        var events = PollEvents(capacity: 8)
        #expect(!descriptors.waitInline(&events, microseconds: 1_000))
        #expect(Set(events.sockets.map(\.socket)) == Set(sockets))
        descriptors.wait(&events, milliseconds: -1)
        #expect(Set(events.sockets.map(\.socket)) == Set(sockets))
        #expect(descriptors.waitInline(&events, microseconds: 1_000))
        #expect(Set(events.sockets.map(\.socket)) == Set(sockets))
    }
}
