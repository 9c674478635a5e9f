import BookingStorage
import Domain
import SystemTestSupport

/// The random values of a ``RandomHistory``. They come from small ranges, so that calls often concern
/// the same salons, times, and keys.
struct RandomValues: RandomNumberGenerator {
    private var generator: SeededGenerator
    private let clock: TestClock

    init(seed: UInt64, clock: TestClock) {
        (generator, self.clock) = (SeededGenerator(seed: seed), clock)
    }

    mutating func next() -> UInt64 { generator.next() }

    /// A number from 0 to less than `count`.
    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

    mutating func salon() -> SalonID { SalonID(high: 1, low: UInt64(below(3))) }

    /// A time from a short range, so that many appointments overlap and some are soon in the past.
    mutating func time() -> AppointmentTime {
        let seconds = Int64(below(60)) * 1_800 + [0, 0, 0, 900, 299][below(5)]
        let instant = clock.now.advanced(bySeconds: seconds)
        return AppointmentTime(instant: instant, offsetMinutes: 60)
    }

    mutating func key() -> IdempotencyKey {
        IdempotencyKey("k\(below(25))", caller: below(2) == 0 ? "" : "a")
    }

    /// A request with a key, or nil.
    mutating func request(_ method: String, _ path: String, _ body: String) -> KeyedRequest? {
        if below(3) == 0 { return nil }
        return KeyedRequest(key: key(), method: method, path: path, body: Array(body.utf8))
    }

    /// Options that some of the salons offer.
    mutating func options() -> BookingOptions {
        let service = [nil, nil, "cut", "color"][below(4)]
        switch below(3) {
        case 0: return BookingOptions(serviceID: service)
        case 1: return BookingOptions(serviceID: service, seats: 1 + below(3))
        default: return BookingOptions(serviceID: service, staffID: ["ana", "bob", "1"][below(3)])
        }
    }

    mutating func phone() -> String { ["12345", "012 345", "67890"][below(3)] }

    mutating func booking() -> BookingRequest {
        BookingRequest(salonID: salon(), time: time(), phone: phone(), options: options())
    }

    mutating func condition() -> SalonCondition {
        [.absent, .present, .version([1, 2]), .version([3, 4, 5])][below(4)]
    }
}
