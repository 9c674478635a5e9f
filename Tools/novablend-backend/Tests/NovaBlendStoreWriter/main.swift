import BookingStorage
import Domain
import Glibc
import SQLiteStorage

// Books different times in a loop, for tests that kill it and for measurements.
//
// Arguments: the path of the database, the number of clients that book at the same time, and the
// number of bookings of each. Writes the key of each confirmed booking on a line of its own. Ends
// with the number of bookings per second and the latency in microseconds.

struct SystemClock: WallClock {
    var now: Timestamp { Timestamp(secondsSince1970: Int64(time(nil))) }
}

let arguments = CommandLine.arguments
guard arguments.count == 4, let clients = Int(arguments[2]), let count = Int(arguments[3]) else {
    exit(64)
}
let midnight = TimeOfDay(minuteOfDay: 0)
let salons = (0..<UInt64(clients)).map { number in
    Salon(
        id: SalonID(high: 1, low: number),
        name: "Salon",
        location: "Street",
        hours: OpeningHours(opens: midnight, closes: midnight)
    )
}
let store: any BookingStore = try SQLiteBookingStore(
    path: arguments[1],
    clock: SystemClock(),
    newSalons: salons
)
let process = getpid()
let clock = SalonClock.offset(minutes: 0)

/// Books `count` times at the salon, one after the other. Returns the latencies in microseconds.
@Sendable func book(at salon: SalonID) async throws -> [Int64] {
    var latencies: [Int64] = []
    for slot in 0..<Int64(count) {
        let key = "\(process)-\(salon)-\(slot)"
        let body = Array(key.utf8)
        let booking = BookingRequest(
            salonID: salon,
            time: AppointmentTime(
                instant: Timestamp(secondsSince1970: (Int64(process) * 10_000 + slot) * 86_400)
            ),
            phone: "+49 30 1234567"
        )
        let request = KeyedRequest(
            key: IdempotencyKey(key),
            method: "POST",
            path: "/appointments",
            body: body
        )
        let start = ContinuousClock.now
        _ = try await store.book(booking, as: request, by: .local) { salon in
            try BookingPlan(for: BookingOptions(), at: salon, on: clock)
        }
        latencies.append((ContinuousClock.now - start).components.attoseconds / 1_000_000_000_000)
        // One call, so that a line is complete or absent.
        let line = body + [UInt8(ascii: "\n")]
        _ = write(STDOUT_FILENO, line, line.count)
    }
    return latencies
}

/// Books at all salons at the same time. Returns the latencies in ascending order.
@Sendable func bookAtAll() async throws -> [Int64] {
    try await withThrowingTaskGroup(of: [Int64].self) { group in
        for salon in salons { group.addTask { try await book(at: salon.id) } }
        var latencies: [Int64] = []
        for try await some in group { latencies += some }
        return latencies.sorted()
    }
}

let start = ContinuousClock.now
let latencies = try await bookAtAll()
let duration = (ContinuousClock.now - start).components
let seconds = Double(duration.seconds) + Double(duration.attoseconds) / 1e18
store.close()
print(
    "rate=\(Int(Double(latencies.count) / seconds))",
    "p50=\(latencies[latencies.count / 2])",
    "p99=\(latencies[latencies.count * 99 / 100])",
    "max=\(latencies.last ?? 0)"
)
