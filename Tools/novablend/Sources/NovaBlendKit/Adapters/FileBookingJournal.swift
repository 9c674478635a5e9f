import Contract
import Domain
import JSON
import Persistence

/// Intents in a journal file: one record when an intent begins, one when it is settled.
struct FileBookingJournal: BookingJournal {
    private let journal: FileJournal

    /// How long what was done is remembered under its key, in seconds; the remote remembers as well.
    private static let memorySeconds: Int64 = 30 * 86_400

    /// Makes a journal in `subdirectory`, an account's, of the state directory.
    init(directory: String, subdirectory: String? = nil, clock: any WallClock) {
        journal = FileJournal(
            directory: directory,
            subdirectory: subdirectory,
            name: "bookings",
            compaction: JournalCompaction { Self.surviving($0, now: clock.now) }
        )
    }

    /// What is still needed of `records`: what is open, what was done lately, and whatever
    /// another version wrote.
    static func surviving(_ records: [[UInt8]], now: Timestamp) -> [[UInt8]] {
        let needed = Set(
            intents(in: records).filter { intent in
                switch intent.state {
                case .pending: true
                case .done: now.seconds(since: intent.begunAt) < memorySeconds
                case .dropped: false
                }
            }.map(\.key)
        )
        return records.filter { record in
            BookingRecord(record).map { needed.contains($0.key) } ?? true
        }
    }

    func begin(_ intent: BookingIntent) throws(JournalError) -> BookingIntent? {
        var earlier: BookingIntent?
        try perform { () throws(StoreError) in
            try journal.append { records in
                earlier = Self.intent(of: intent.key, in: records)
                return earlier == nil ? BookingRecord.begun(intent).encoded : nil
            }
        }
        return earlier
    }

    func settle(
        _ intent: BookingIntent,
        as state: BookingIntent.State
    ) throws(JournalError) {
        let isChange = intent.action.name != .book
        let record = BookingRecord.settled(key: intent.key, state: state, isChange: isChange)
        try perform { () throws(StoreError) in try journal.append(record.encoded) }
    }

    func intent(of key: String) throws(JournalError) -> BookingIntent? {
        var found: BookingIntent?
        try perform { () throws(StoreError) in
            found = Self.intent(of: key, in: try journal.records())
        }
        return found
    }

    func pending() throws(JournalError) -> [BookingIntent] {
        var intents: [BookingIntent] = []
        try perform { () throws(StoreError) in intents = Self.intents(in: try journal.records()) }
        return intents.filter { $0.state == .pending }
    }

    private func perform(_ body: () throws(StoreError) -> Void) throws(JournalError) {
        do throws(StoreError) {
            try body()
        } catch {
            throw JournalError(reason: error.description)
        }
    }

    private static func intent(of key: String, in records: [[UInt8]]) -> BookingIntent? {
        intents(in: records).last { $0.key == key && $0.state != .dropped }
    }

    /// The intents as the records leave them, oldest first.
    private static func intents(in records: [[UInt8]]) -> [BookingIntent] {
        var intents: [BookingIntent] = []
        var places: [String: Int] = [:]
        for record in records.compactMap(BookingRecord.init) {
            switch record {
            case .begun(let intent):
                places[intent.key] = intents.count
                intents.append(intent)
            case .settled(let key, let state, _):
                if let place = places[key] { intents[place].state = state }
            }
        }
        return intents
    }
}
