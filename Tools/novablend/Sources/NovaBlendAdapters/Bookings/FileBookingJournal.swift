package import Domain
import Persistence
import Synchronization

/// Stores intents in a journal file. The first record of an intent also represents its first
/// attempt. Each event appends a record.
package final class FileBookingJournal: BookingJournal {
    private let journal: FileJournal
    private let locks: NamedLocks
    /// The records that this process read last, decoded.
    private let decoded = Mutex(DecodedRecords())

    /// How long a done or not found intent is retained after its last attempt, in seconds.
    private static let retentionSeconds: Int64 = 30 * 86_400

    /// Creates a journal in the account's `subdirectory` of the state directory.
    package init(directory: String, subdirectory: String? = nil, clock: any WallClock) {
        journal = FileJournal(
            directory: directory,
            subdirectory: subdirectory,
            name: "bookings",
            compaction: JournalCompaction { Self.surviving($0, now: clock.now) }
        )
        locks = NamedLocks(directory: directory, subdirectory: subdirectory, name: "intents")
    }

    /// The records that are still needed: those of pending intents, those of done or not found intents
    /// whose last attempt was less than 30 days ago, and those that this version cannot read.
    static func surviving(_ records: [[UInt8]], now: Timestamp) -> [[UInt8]] {
        var decoded = DecodedRecords()
        let needed = decoded.update(to: records).filter { intent in
            switch intent.state {
            case .pending: true
            case .done, .notFound: now.seconds(since: intent.lastAttemptAt) < retentionSeconds
            case .dropped: false
            }
        }
        let keys = Set(needed.map(\.key))
        return records.filter { record in
            BookingRecord(record).map { keys.contains($0.key) } ?? true
        }
    }

    package func begin(
        _ intent: BookingIntent,
        joiningSameBooking: Bool
    ) throws -> BookingIntent? {
        var earlier: BookingIntent?
        try journal.appendIfNeeded { records in
            earlier = decoded.withLock({ $0.update(to: records) }).last {
                $0.key == intent.key || joiningSameBooking && $0.isOpenBooking(sameAs: intent)
            }
            return earlier == nil ? BookingRecord.begun(intent).encoded : nil
        }
        return earlier
    }

    package func checkWritable() throws {
        // This opens and syncs the journal for writing, but appends nothing.
        try journal.appendIfNeeded { _ in nil }
    }

    package func record(_ event: IntentEvent, of intent: BookingIntent) throws {
        try journal.append(BookingRecord.event(event, key: intent.key).encoded)
    }

    package func intents() throws -> [BookingIntent] {
        let records = try journal.records()
        return decoded.withLock { $0.update(to: records) }
    }

    package func claim(_ key: String) throws -> (any IntentClaim)? {
        try locks.take(key)
    }
}

/// The decoded records of a booking journal, and the intents that they describe.
private struct DecodedRecords {
    private var records: [[UInt8]] = []
    private var intents: [BookingIntent] = []
    /// The index of each key in `intents`.
    private var indices: [String: Int] = [:]

    /// Decodes `records` and returns the intents that were not dropped, oldest first.
    ///
    /// Only records that were added since the last call are decoded, unless the journal was
    /// rewritten. Comparing records is cheap, since most are the same arrays in memory.
    mutating func update(to records: [[UInt8]]) -> [BookingIntent] {
        if !records.starts(with: self.records) { self = DecodedRecords() }
        for bytes in records[self.records.count...] {
            switch BookingRecord(bytes) {
            case .begun(let intent):
                indices[intent.key] = intents.count
                intents.append(intent)
            case .event(let event, let key):
                if let index = indices[key] { intents[index] = intents[index].applying(event) }
            case nil: break
            }
        }
        self.records = records
        return intents.filter { $0.state != .dropped }
    }
}
