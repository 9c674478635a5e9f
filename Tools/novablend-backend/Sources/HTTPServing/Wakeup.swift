import Glibc
import NovaBlendMicroHTTPD

/// A descriptor that wakes a thread which waits in poll(2).
final class Wakeup: Sendable {
    let descriptor: Int32

    init?() {
        descriptor = nb_eventfd()
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    func signal() {
        var value: UInt64 = 1
        _ = write(descriptor, &value, MemoryLayout<UInt64>.size)
    }

    func clear() {
        var value: UInt64 = 0
        _ = read(descriptor, &value, MemoryLayout<UInt64>.size)
    }
}
