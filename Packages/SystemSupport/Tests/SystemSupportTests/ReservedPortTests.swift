import Glibc
import SystemSupport
import SystemTestSupport
import Testing

@Suite struct ReservedPortTests {
    @Test func `A server can listen on a reserved port again and again`() throws {
        let port = try ReservedPort()
        for _ in 0..<3 {
            let server = Loopback.socket()
            defer { close(server) }
            var isReused: Int32 = 1
            setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(4))
            #expect(try Loopback.bind(server, to: port.number) == port.number)
            #expect(listen(server, 1) == 0)
            let client = try Loopback.connect(to: port.number)
            close(client)
        }
    }

    @Test func `No one else gets a reserved port, and no one answers there`() throws {
        let port = try ReservedPort()
        let other = Loopback.socket()
        defer { close(other) }
        #expect(throws: SystemError(code: EADDRINUSE)) {
            try Loopback.bind(other, to: port.number)
        }
        #expect(throws: SystemError(code: ECONNREFUSED)) {
            close(try Loopback.connect(to: port.number))
        }
    }
}
