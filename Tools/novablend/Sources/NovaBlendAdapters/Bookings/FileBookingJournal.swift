package import Domain
import Persistence

/// Intents in a journal file. The first record of an intent also stands for its first attempt; each
/// event adds a record.
package struct FileBookingJournal: BookingJournal {
    private let journal: FileJournal
    private let locks: NamedLocks

    /// How long an intent that is done or was not found is remembered under its key, in seconds.
    private static let retentionSeconds: Int64 = 30 * 86_400

    /// Makes a journal in the account's `subdirectory` of the state directory.
    package init(directory: String, subdirectory: String? = nil, clock: any WallClock) {
        journal = FileJournal(
            directory: directory,
            subdirectory: subdirectory,
            name: "bookings",
            compaction: JournalCompaction { Self.surviving($0, now: clock.now) }
        )
        locks = NamedLocks(directory: directory, subdirectory: subdirectory, name: "intents")
    }

    /// The records that are still needed: of pending intents, of intents that were done or not found
    /// recently, and of kinds that this version does not know.
    static func surviving(_ records: [[UInt8]], now: Timestamp) -> [[UInt8]] {
        let needed = Set(
            allIntents(in: records).filter { intent in
                switch intent.state {
                case .pending: true
                case .done, .notFound: now.seconds(since: intent.lastAttemptAt) < retentionSeconds
                case .dropped: false
                }
            }.map(\.key)
        )
        return records.filter { record in
            BookingRecord(record).map { needed.contains($0.key) } ?? true
        }
    }

    package func begin(
        _ intent: BookingIntent,
        joiningEqual: Bool
    ) throws(JournalError) -> BookingIntent? {
        var earlier: BookingIntent?
        try perform { () throws(StoreError) in
            try journal.append { records in
                earlier = Self.intents(in: records).last {
                    $0.key == intent.key || joiningEqual && $0.isEqualBooking(to: intent)
                }
                return earlier == nil ? BookingRecord.begun(intent).encoded : nil
            }
        }
        return earlier
    }

    package func record(_ event: IntentEvent, of intent: BookingIntent) throws(JournalError) {
        let record = BookingRecord.event(event, key: intent.key)
        try perform { () throws(StoreError) in try journal.append(record.encoded) }
    }

    package func intents() throws(JournalError) -> [BookingIntent] {
        var intents: [BookingIntent] = []
        try perform { () throws(StoreError) in intents = Self.intents(in: try journal.records()) }
        return intents
    }

    package func claim(_ key: String) throws(JournalError) -> (any IntentClaim)? {
        var lock: NamedLocks.Lock?
        try perform { () throws(StoreError) in lock = try locks.take(key) }
        return lock.map(Claim.init)
    }

    private final class Claim: IntentClaim {
        private let lock: NamedLocks.Lock

        init(_ lock: NamedLocks.Lock) { self.lock = lock }
    }

    private func perform(_ body: () throws(StoreError) -> Void) throws(JournalError) {
        do throws(StoreError) {
            try body()
        } catch {
            throw JournalError(reason: error.description)
        }
    }

    private static func intents(in records: [[UInt8]]) -> [BookingIntent] {
        allIntents(in: records).filter { $0.state != .dropped }
    }

    /// The intents after all records, oldest first.
    private static func allIntents(in records: [[UInt8]]) -> [BookingIntent] {
        var intents: [BookingIntent] = []
        var places: [String: Int] = [:]
        for record in records.compactMap(BookingRecord.init) {
            switch record {
            case .begun(let intent):
                places[intent.key] = intents.count
                intents.append(intent)
            case .event(let event, let key):
                if let place = places[key] { intents[place] = intents[place].applying(event) }
            }
        }
        return intents
    }
}
