import Foundation
import SystemTestSupport

/// The state of a `LoadClient` while it runs. One thread uses it.
final class LoadRun {
    private enum State {
        /// The connection waits for the response to the request with this number.
        case waiting(Int)
        /// The connection has no request left, and stays open.
        case idle
        case closed
    }

    private struct Connection {
        var state = State.closed
        /// The number of its next request.
        var next: Int
        var socket: TCPConnection?
        var received: [UInt8] = []
    }

    private let port: UInt16
    private(set) var exchanges: [LoadClient.Exchange]
    private var progress = LoadClient.Progress(sent: 0, answered: 0)
    private var connections: [Connection]
    /// The descriptor of each connection; -1 if it is closed.
    private var descriptors: [pollfd]
    /// How many connections wait for a response.
    private var waiting = 0
    private var bytes = [UInt8](repeating: 0, count: 1 << 16)

    init(port: UInt16, connections count: Int, requests: [HTTPRequest]) {
        self.port = port
        exchanges = requests.map { LoadClient.Exchange(request: $0) }
        connections = (0..<count).map { Connection(next: $0) }
        descriptors = connections.map { _ in pollfd(fd: -1, events: 0, revents: 0) }
        for index in connections.indices { connect(index) }
    }

    var isWaiting: Bool { waiting > 0 }

    /// Handles what has arrived. Returns false if nothing arrives in time.
    func receive(
        within seconds: Int32,
        _ onResponse: (LoadClient.Progress) -> Void
    ) -> Bool {
        guard poll(&descriptors, nfds_t(descriptors.count), seconds * 1_000) > 0 else {
            return false
        }
        for index in descriptors.indices where descriptors[index].revents != 0 {
            switch connections[index].state {
            case .waiting(let number):
                if receive(number, on: index) { onResponse(progress) }
            case .idle: drop(index)
            case .closed: break
            }
        }
        return true
    }

    /// Connects, and sends the next request of the connection.
    private func connect(_ index: Int) {
        guard connections[index].next < exchanges.count else { return }
        guard let socket = try? TCPConnection(port: port) else { return }
        descriptors[index] = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
        (connections[index].socket, connections[index].state) = (socket, .idle)
        sendNext(index)
    }

    private func sendNext(_ index: Int) {
        let number = connections[index].next
        guard number < exchanges.count else {
            connections[index].state = .idle
            return
        }
        guard connections[index].socket?.send(exchanges[number].request.text) == true else {
            return drop(index)
        }
        connections[index].state = .waiting(number)
        waiting += 1
        connections[index].next += connections.count
        exchanges[number].sentAfter = progress.sent
        progress.sent += 1
    }

    /// Returns whether the response to the request is complete.
    private func receive(_ number: Int, on index: Int) -> Bool {
        let count = recv(descriptors[index].fd, &bytes, bytes.count, 0)
        guard count > 0 else {
            waiting -= 1
            drop(index)
            return false
        }
        connections[index].received += bytes[..<count]
        guard let response = ReceivedResponse.takeFirst(from: &connections[index].received) else {
            return false
        }
        exchanges[number].response = response
        waiting -= 1
        progress.answered += 1
        if response.closesConnection {
            drop(index)
            connect(index)
        } else {
            sendNext(index)
        }
        return true
    }

    private func drop(_ index: Int) {
        connections[index] = Connection(next: connections[index].next)
        descriptors[index].fd = -1
    }
}
