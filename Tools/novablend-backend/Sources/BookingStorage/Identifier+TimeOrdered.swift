package import Domain
import Glibc

extension Identifier {
    /// A UUID of version 7 (RFC 9562, section 5.7): the time in milliseconds, followed by 74 random
    /// bits. Ids of the same time are adjacent in the indexes of a database, so bookings change few
    /// of its pages, however many are stored.
    package static func timeOrdered() -> Identifier {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let milliseconds = UInt64(clamping: now.tv_sec) &* 1_000 &+ UInt64(now.tv_nsec / 1_000_000)
        var generator = SystemRandomNumberGenerator()
        return Identifier(
            high: milliseconds << 16 | 0x7000 | generator.next() & 0xFFF,
            low: generator.next() & ~(0b11 << 62) | 0b10 << 62
        )
    }
}
