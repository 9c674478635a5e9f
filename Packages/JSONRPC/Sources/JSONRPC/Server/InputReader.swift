import Glibc

/// Reads what arrives on a descriptor.
///
/// A peer that asks one thing after the other sends the next a few microseconds after an answer.
/// To fall asleep and be woken takes longer than that, so where the last message came so soon the
/// next is waited for awake: no longer than ``patience``, and never twice in vain.
struct InputReader {
    var patience = Duration.microseconds(100)
    private let descriptor: Int32
    private(set) var waitsAwake = false

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Waits for bytes, and says how many are in `buffer` now: 0 at the end of the input, -1 where
    /// it cannot be read, with `errno`.
    mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let deadline = ContinuousClock.now + patience
        if waitsAwake {
            while wait(milliseconds: 0) == 0, ContinuousClock.now < deadline {}
        }
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            // Whoever opened the other end may have made this one not to wait.
            if count < 0, errno == EAGAIN, wait(milliseconds: -1) > 0 || errno == EINTR { continue }
            waitsAwake = ContinuousClock.now < deadline
            return count
        }
    }

    private func wait(milliseconds: Int32) -> Int32 {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds)
    }
}
