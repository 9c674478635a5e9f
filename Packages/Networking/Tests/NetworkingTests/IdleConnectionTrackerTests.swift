import Glibc
import Testing

@testable import Networking

@Suite("Idle connections")
struct IdleConnectionTrackerTests {
    private let tracker = IdleConnectionTracker()

    private func endpoints(
        _ remotePort: Int32 = 80,
        _ localPort: Int32 = 4_000,
        remote: String = "127.0.0.1",
        local: String = "127.0.0.2"
    ) -> IdleConnectionTracker.Endpoints {
        IdleConnectionTracker.Endpoints(remote, remotePort, local, localPort)
    }

    /// Two connected sockets, which are closed after `body`.
    private func withSockets(_ body: (_ own: Int32, _ peer: Int32) -> Void) {
        var sockets: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
        body(sockets[0], sockets[1])
        for socket in sockets { close(socket) }
    }

    private func canSend(_ socket: Int32) -> Bool { send(socket, "x", 1, Int32(MSG_NOSIGNAL)) == 1 }

    @Test("An idle connection is shut down if the server has sent something")
    func readable() {
        withSockets { own, peer in
            tracker.insert(own, endpoints())
            tracker.shutDownIfReadable(endpoints())
            #expect(canSend(own) && canSend(peer))
            tracker.shutDownIfReadable(endpoints())
            #expect(!canSend(own) && !canSend(peer))
        }
    }

    @Test("An idle connection that the server has closed is left to libcurl")
    func closed() {
        withSockets { own, peer in
            tracker.insert(own, endpoints())
            shutdown(peer, Int32(SHUT_WR))
            tracker.shutDownIfReadable(endpoints())
            #expect(canSend(own))
        }
    }

    @Test("A connection is identified by both addresses and both ports")
    func identity() {
        withSockets { own, peer in
            tracker.insert(own, endpoints())
            #expect(canSend(peer))
            for other in [
                endpoints(81), endpoints(80, 4_001), endpoints(remote: "::1"),
                endpoints(local: "::1"), endpoints(4_000, 80),
            ] {
                tracker.shutDownIfReadable(other)
            }
            #expect(canSend(own))
            tracker.shutDownIfReadable(endpoints())
            #expect(!canSend(own))
        }
    }

    @Test(
        "A connection is not tracked after one with the same endpoints closed or used HTTP/2"
    )
    func replaced() {
        withSockets { own, peer in
            tracker.insert(own, endpoints())
            tracker.insert(nil, endpoints())
            #expect(canSend(peer))
            tracker.shutDownIfReadable(endpoints())
            #expect(canSend(own))
        }
    }

    @Test("Connections are tracked until there are more than 4,096")
    func maximum() {
        withSockets { own, peer in
            #expect(canSend(peer))
            tracker.insert(own, endpoints(1))
            // The other descriptors are invalid, which does not matter: they are not looked up.
            for port in 2...4_096 { tracker.insert(Int32.max, endpoints(Int32(port))) }
            tracker.insert(nil, endpoints(4_097))
            tracker.shutDownIfReadable(endpoints(1))
            #expect(canSend(own))
        }
        withSockets { own, peer in
            #expect(canSend(peer))
            let tracker = IdleConnectionTracker()
            tracker.insert(own, endpoints(1))
            for port in 2...4_096 { tracker.insert(Int32.max, endpoints(Int32(port))) }
            tracker.shutDownIfReadable(endpoints(1))
            #expect(!canSend(own))
        }
    }
}
