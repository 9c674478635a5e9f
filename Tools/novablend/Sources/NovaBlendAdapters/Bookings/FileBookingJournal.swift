package import Domain
import Persistence
import Synchronization

/// Stores intents in a journal file. The first record of an intent also represents its first
/// attempt. Each event appends a record, but one that ends an intent rewrites the file, so that the
/// customer's contact data does not remain in it.
package final class FileBookingJournal: BookingJournal {
    private let journal: FileJournal
    private let locks: NamedLocks
    private let clock: any WallClock
    /// The records that this process read last, decoded.
    private let decoded = Mutex(DecodedRecords())

    /// How long after its last attempt the contact data of an open intent is retained, and any other
    /// intent at all, in seconds.
    package static let retentionSeconds: Int64 = 30 * 86_400

    /// Creates a journal in the account's `subdirectory` of the state directory.
    package init(directory: String, subdirectory: String? = nil, clock: any WallClock) {
        journal = FileJournal(
            directory: directory,
            subdirectory: subdirectory,
            name: "bookings",
            compaction: JournalCompaction { Self.surviving($0, now: clock.now) }
        )
        locks = NamedLocks(directory: directory, subdirectory: subdirectory, name: "intents")
        self.clock = clock
    }

    /// The records that are still needed, without the contact data that is not: those of pending
    /// intents, those of done or not found intents whose last attempt was less than 30 days ago, and
    /// those that this version cannot read.
    static func surviving(_ records: [[UInt8]], now: Timestamp) -> [[UInt8]] {
        var decoded = DecodedRecords()
        decoded.update(to: records)
        return decoded.surviving(now: now)
    }

    package func begin(
        _ intent: BookingIntent,
        joiningSameBooking: Bool
    ) throws -> BookingIntent? {
        var earlier: BookingIntent?
        try journal.appendIfNeeded { records in
            earlier = read(records).last {
                $0.key == intent.key || joiningSameBooking && $0.isOpenBooking(sameAs: intent)
            }
            return earlier == nil ? BookingRecord.begun(intent.withoutDetails).encoded : nil
        }
        return earlier
    }

    package func checkWritable() throws {
        // This opens and syncs the journal for writing, but appends nothing.
        try journal.appendIfNeeded { _ in nil }
    }

    package func record(_ event: IntentEvent, of intent: BookingIntent) throws {
        let record = BookingRecord.event(event.withoutContact, key: intent.key).encoded
        guard event.ends else { return try journal.append(record) }
        do {
            try journal.rewrite { surviving($0 + [record]) }
        } catch {
            // What matters most is the outcome, for which there may still be room on a full disk. The
            // next rewriting removes the contact data.
            try journal.append(record)
        }
    }

    package func intents() throws -> [BookingIntent] { read(try journal.records()) }

    package func claim(_ key: String) throws -> (any IntentClaim)? {
        try locks.take(key)
    }

    private func read(_ records: [[UInt8]]) -> [BookingIntent] {
        decoded.withLock { $0.update(to: records) }
    }

    private func surviving(_ records: [[UInt8]]) -> [[UInt8]] {
        let now = clock.now
        return decoded.withLock { decoded in
            decoded.update(to: records)
            return decoded.surviving(now: now)
        }
    }
}

extension FileBookingJournal {
    /// Removes what is retained no longer. Returns when something will have to be removed next; nil if
    /// nothing is stored that must be.
    package func removeExpired() throws -> Timestamp? {
        try journal.rewrite { surviving($0) }
        return try intents().filter { $0.withoutContact != $0 || $0.state != .pending }
            .map { $0.lastAttemptAt.advanced(bySeconds: Self.retentionSeconds) }.min()
    }

    /// Removes what is stored about the customer with this phone number, except for open bookings, whose
    /// phone number is evidence. Returns the number of intents that were changed, and the open
    /// bookings. A dry run changes nothing.
    package func erase(
        customer phone: String,
        isDryRun: Bool
    ) throws -> (erased: Int, open: [BookingIntent]) {
        var (erased, open) = (0, [BookingIntent]())
        let change = { (records: [[UInt8]]) -> [[UInt8]] in
            let own = self.read(self.surviving(records)).filter { $0.isOf(customer: phone) }
            // One that has only a hash is no evidence any more.
            open = own.filter { $0.isOpen && $0.withoutContact != $0 }
            let keys = Set(own.map(\.key)).subtracting(open.map(\.key))
            erased = keys.count
            return self.decoded.withLock { $0.erasing(keys) }
        }
        if isDryRun { _ = change(try journal.records()) } else { try journal.rewrite(change) }
        return (erased, open)
    }
}

extension IntentEvent {
    /// Whether the intent is then certainly done, or never will be.
    fileprivate var ends: Bool {
        switch self {
        case .outcome(.done, _), .outcome(.dropped, _): true
        case .outcome, .attempt, .accepted, .rejected: false
        }
    }

    /// This event without contact data.
    fileprivate var withoutContact: IntentEvent {
        guard case .outcome(.done(var appointment), let showsKey) = self else { return self }
        appointment.booking = appointment.booking.withoutContact(nil)
        return .outcome(.done(appointment), showsKey: showsKey)
    }
}

/// The decoded records of a booking journal, and the intents that they describe.
private struct DecodedRecords {
    private var records: [[UInt8]] = []
    /// The records, decoded; nil for one that this version cannot read.
    private var decoded: [BookingRecord?] = []
    private var intents: [BookingIntent] = []
    /// The index in `intents` of the intent of each record; nil for a record without one.
    private var owners: [Int?] = []
    /// The index in `intents` of the last intent with each key.
    private var indices: [String: Int] = [:]

    /// Decodes `records` and returns the intents that were not dropped, oldest first.
    ///
    /// Only records are decoded that differ from those of the last call, or follow one that does.
    /// Comparing records is cheap, since most are the same arrays in memory.
    @discardableResult
    mutating func update(to records: [[UInt8]]) -> [BookingIntent] {
        let known = zip(records, self.records).prefix { $0 == $1 }.count
        if known < self.records.count {
            let same = decoded.prefix(known)
            self = DecodedRecords()
            for record in same { apply(record) }
        }
        for bytes in records[known...] { apply(BookingRecord(bytes)) }
        self.records = records
        return intents.filter { $0.state != .dropped }
    }

    private mutating func apply(_ record: BookingRecord?) {
        decoded.append(record)
        switch record {
        case .begun(let intent):
            indices[intent.key] = intents.count
            owners.append(intents.count)
            intents.append(intent)
        case .event(let event, let key):
            let index = indices[key]
            if let index { intents[index] = intents[index].applying(event) }
            owners.append(index)
        case nil: owners.append(nil)
        }
    }

    /// The records that are needed at `now`. The first record of an intent whose contact data is not
    /// needed any more is replaced.
    func surviving(now: Timestamp) -> [[UInt8]] {
        let retention = FileBookingJournal.retentionSeconds
        return replacing { intent in
            let isRecent = now.seconds(since: intent.lastAttemptAt) < retention
            switch intent.state {
            case .pending: return isRecent ? intent : intent.withoutContact
            case .notFound: return isRecent ? intent : nil
            case .done: return isRecent ? intent.withoutContact : nil
            case .dropped: return nil
            }
        }
    }

    /// The records without anything about the customers of the intents with these keys.
    func erasing(_ keys: Set<String>) -> [[UInt8]] {
        replacing { keys.contains($0.key) ? $0.withoutCustomer : $0 }
    }

    /// The records of the intents that `change` returns. It may only change their contact data.
    private func replacing(_ change: (BookingIntent) -> BookingIntent?) -> [[UInt8]] {
        let changed = intents.map(change)
        return zip(records, zip(decoded, owners)).compactMap { bytes, record -> [UInt8]? in
            let (decoded, owner) = record
            guard let decoded else { return bytes }
            guard let owner, let intent = changed[owner] else { return nil }
            switch decoded {
            case .begun(var begun):
                guard begun.action != intent.action else { return bytes }
                begun.action = intent.action
                return BookingRecord.begun(begun).encoded
            case .event(let event, let key):
                let needed = event.withoutContact
                return needed == event ? bytes : BookingRecord.event(needed, key: key).encoded
            }
        }
    }
}
