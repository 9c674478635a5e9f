import Foundation
import Testing

@testable import Networking

@Suite("Sockets of libcurl")
struct SocketTableTests {
    private let descriptors: PollDescriptors
    private let table: SocketTable

    init() throws {
        descriptors = try #require(PollDescriptors())
        table = SocketTable(descriptors)
    }

    /// Adds a socket to the table that is always writable.
    private func datagramSocket() -> Int32 {
        table.open(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    }

    /// The events that epoll reports now.
    private func events() -> [Int32: SocketEvents] {
        var events = PollEvents(capacity: 8)
        descriptors.wait(&events, milliseconds: 0)
        return Dictionary(uniqueKeysWithValues: events.sockets.map { ($0.socket, $0.events) })
    }

    @Test("Sockets are watched for the events that libcurl wants")
    func wanted() {
        let socket = datagramSocket()
        defer { _ = table.close(socket) }
        #expect(!table.isWanted(socket) && events().isEmpty)
        table.setWanted(.writable, of: socket)
        #expect(table.isWanted(socket) && events() == [socket: .writable])
        table.setWanted(.readable, of: socket)
        #expect(table.isWanted(socket) && events().isEmpty)
    }

    @Test("Sockets stay watched while libcurl wants nothing, until an event arrives")
    func unwanted() {
        let socket = datagramSocket()
        defer { _ = table.close(socket) }
        table.setWanted(.writable, of: socket)
        table.setWanted([], of: socket)
        #expect(events() == [socket: .writable])
        #expect(!table.isWanted(socket) && events().isEmpty)
        table.setWanted(.writable, of: socket)
        #expect(events() == [socket: .writable])
    }

    @Test("Sockets are not inherited by other programs, and are closed")
    func closing() {
        let socket = datagramSocket()
        #expect(fcntl(socket, F_GETFD) == FD_CLOEXEC)
        table.setWanted(.writable, of: socket)
        #expect(table.close(socket) == 0 && !table.isWanted(socket))
    }

    @Test("A socket that libcurl created stops being watched as soon as libcurl wants nothing")
    func foreign() {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(socket) }
        table.setWanted(.writable, of: socket)
        #expect(events() == [socket: .writable])
        table.setWanted([], of: socket)
        #expect(events().isEmpty && !table.isWanted(socket))
    }

    @Test("Descriptor 0 is in the table, and an invalid one is not")
    func bounds() {
        table.setWanted(.readable, of: 0)
        #expect(table.isWanted(0))
        table.setWanted(.readable, of: -1)
        #expect(!table.isWanted(-1))
    }

    @Test("A socket cannot be created for an unknown family")
    func invalid() {
        #expect(table.open(-1, 0, 0) == -1)
    }
}
