import Persistence

/// The requirements for records that are appended to a snapshot.
extension SnapshotStoreSpec {
    /// A position at which no snapshot is.
    static let nowhere = SnapshotPosition(end: -1, state: 0)

    static let appending: [SnapshotStoreSpec] = [
        SnapshotStoreSpec("appended records follow the payload, and the last sets the time") {
            store in
            try store.replace("salons", with: first)
            guard let start = try store.tail(of: "salons", after: nil)?.position,
                let next = try store.append([1], to: "salons", at: start, savedAt: .at(4)),
                try store.append([], to: "salons", at: next, savedAt: .at(3)) != nil
            else { return false }
            var expected = first
            (expected.records, expected.savedAt) = ([[1], []], .at(3))
            return try store.load("salons") == expected
        },
        SnapshotStoreSpec("a tail has the records after its position, and the sizes of all") {
            store in
            try store.replace("salons", with: first)
            guard let start = try store.tail(of: "salons", after: nil),
                let next = try store.append([1], to: "salons", at: start.position, savedAt: .at(4)),
                let last = try store.append([2, 3], to: "salons", at: next, savedAt: .at(5))
            else { return false }
            func tail(_ records: [[UInt8]], isWhole: Bool = false) -> SnapshotTail {
                SnapshotTail(
                    metadata: first.metadata,
                    savedAt: .at(5),
                    records: records,
                    isWhole: isWhole,
                    position: last,
                    payloadSize: 5,
                    recordsSize: 51
                )
            }
            let whole = tail([[1], [2, 3]], isWhole: true)
            return try start.records.isEmpty && start.isWhole && !start.isLong && whole.isLong
                && store.tail(of: "salons", after: start.position) == tail([[1], [2, 3]])
                && store.tail(of: "salons", after: next) == tail([[2, 3]])
                && store.tail(of: "salons", after: last) == tail([])
                && store.tail(of: "salons", after: nil) == whole
                && store.tail(of: "salons", after: nowhere) == whole
                && store.tail(of: "missing", after: nil) == nil
        },
        SnapshotStoreSpec("nothing is appended at an earlier position, or without a snapshot") {
            store in
            try store.replace("salons", with: first)
            guard let start = try store.tail(of: "salons", after: nil)?.position,
                let next = try store.append([1], to: "salons", at: start, savedAt: .at(4))
            else { return false }
            let rejected = try [
                store.append([2], to: "salons", at: start, savedAt: .at(5)),
                store.append([2], to: "salons", at: nowhere, savedAt: .at(5)),
                store.append([2], to: "missing", at: next, savedAt: .at(5)),
            ]
            return try rejected == [nil, nil, nil] && store.load("salons")?.records == [[1]]
                && store.names() == ["salons"]
        },
        SnapshotStoreSpec("a replacement ends all positions, also one with the same size") {
            store in
            try store.replace("salons", with: second)
            guard let start = try store.tail(of: "salons", after: nil)?.position,
                let next = try store.append([1], to: "salons", at: start, savedAt: .at(4))
            else { return false }
            var other = second
            other.payload[0] ^= 1
            try store.replace("salons", with: other)
            guard let replaced = try store.tail(of: "salons", after: nil)?.position,
                try store.append([1], to: "salons", at: replaced, savedAt: .at(4)) != nil
            else { return false }
            return try [start, next].allSatisfy { position in
                try store.append([2], to: "salons", at: position, savedAt: .at(5)) == nil
                    && store.tail(of: "salons", after: position)?.isWhole == true
            }
        },
        SnapshotStoreSpec("a snapshot is replaced and updated together with its records") {
            store in
            var snapshot = first
            snapshot.records = [[1, 2], []]
            try store.replace("salons", with: snapshot)
            guard try store.load("salons") == snapshot,
                let position = try store.tail(of: "salons", after: nil)?.position,
                try store.append([3], to: "salons", at: position, savedAt: .at(7)) != nil
            else { return false }
            try store.update("salons") { current in
                current.map { Snapshot(payload: $0.records.flatMap(\.self), savedAt: $0.savedAt) }
            }
            return try store.load("salons") == Snapshot(payload: [1, 2, 3], savedAt: .at(7))
        },
    ]
}
