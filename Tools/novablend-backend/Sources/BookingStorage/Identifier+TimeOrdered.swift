package import Domain
import Glibc

extension Identifier {
    /// A UUID of version 7 (RFC 9562, section 5.7): the time in steps of about 0.25 µs (section 6.2,
    /// method 3), followed by 62 random bits. Ids of the same time are adjacent in the indexes of a
    /// database, so bookings change few of its pages, however many are stored. Ids that one machine
    /// creates in different steps are in the order of time, unless its clock is set back.
    package static func timeOrdered() -> Identifier {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let nanoseconds = UInt64(clamping: now.tv_nsec)
        let milliseconds = UInt64(clamping: now.tv_sec) &* 1_000 &+ nanoseconds / 1_000_000
        let fraction = nanoseconds % 1_000_000 * 4_096 / 1_000_000
        return Identifier(
            high: milliseconds << 16 | 0x7000 | fraction,
            low: UInt64.random(in: .min ... .max) & ~(0b11 << 62) | 0b10 << 62
        )
    }
}
