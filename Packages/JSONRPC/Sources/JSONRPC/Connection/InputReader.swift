import Glibc

/// Reads from a descriptor with low latency.
///
/// A peer that sends one request at a time often sends the next one a few microseconds after a
/// reply. Blocking and waking up takes longer than that. So if input arrived within
/// ``spinDuration``, the next read spins for up to ``spinDuration`` before it blocks. After one
/// read without success, the reader stops spinning.
struct InputReader {
    var spinDuration = Duration.microseconds(100)
    private let descriptor: Int32
    private(set) var isSpinning = false

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Waits for input and reads it into `buffer`. Returns the number of bytes: 0 at the end of the
    /// input, -1 with `errno` after an error.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let deadline = ContinuousClock.now + spinDuration
        if isSpinning {
            while poll(milliseconds: 0) == 0, ContinuousClock.now < deadline {}
        }
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            // The descriptor may be non-blocking.
            if count < 0, errno == EAGAIN, poll(milliseconds: -1) > 0 || errno == EINTR { continue }
            isSpinning = ContinuousClock.now < deadline
            return count
        }
    }

    private func poll(milliseconds: Int32) -> Int32 {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&entry, 1, milliseconds)
    }
}
