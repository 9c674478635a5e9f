import Foundation

/// A port that neither accepts nor refuses connections: its backlog is full.
final class BlackHole: Sendable {
    let port: UInt16
    private let listener: Int32
    private let guest: Int32

    init() throws {
        (listener, port) = try Loopback.listen(backlog: 0)
        guest = try Loopback.connect(to: port)
    }

    deinit {
        close(guest)
        close(listener)
    }
}
