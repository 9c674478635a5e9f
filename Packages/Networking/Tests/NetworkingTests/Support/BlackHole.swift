import Foundation
import SystemTestSupport

/// A port that neither accepts nor refuses connections, because its backlog is full.
final class BlackHole: Sendable {
    let port: UInt16
    private let listener: Int32
    private let pending: Int32

    init() throws {
        (listener, port) = try Loopback.listen(backlog: 0)
        pending = try Loopback.connect(to: port)
    }

    deinit {
        close(pending)
        close(listener)
    }
}
