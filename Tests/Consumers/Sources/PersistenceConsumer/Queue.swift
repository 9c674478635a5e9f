import Persistence

/// A durable queue that any number of processes share. A record `+TEXT` adds a text, and a record
/// `-` removes the oldest one.
struct Queue {
    private let journal: FileJournal

    init(directory: String) {
        let compaction = JournalCompaction(surviving: Self.waiting)
        journal = FileJournal(directory: directory, name: "queue", compaction: compaction)
    }

    func add(_ text: String) throws { try journal.append(Array("+\(text)".utf8)) }

    /// Removes and returns the oldest text; nil if the queue is empty.
    func removeFirst() throws -> String? {
        var first: [UInt8]?
        try journal.appendIfNeeded { records in
            first = Self.waiting(records).first
            return first == nil ? nil : Array("-".utf8)
        }
        return first.map { String(decoding: $0.dropFirst(), as: UTF8.self) }
    }

    /// The records of the texts that were not removed.
    private static func waiting(_ records: [[UInt8]]) -> [[UInt8]] {
        let added = records.filter { $0.first == UInt8(ascii: "+") }
        return Array(added.dropFirst(records.count - added.count))
    }
}
