public import Persistence

/// A requirement that every store must meet. To test your own implementation of `SnapshotStore`,
/// check all requirements, each with a new store.
public struct SnapshotStoreSpec: Sendable, CustomStringConvertible {
    /// The requirement as a sentence.
    public let description: String
    private let check: @Sendable (any SnapshotStore) throws -> Bool

    /// Whether `store`, which must be empty, meets the requirement.
    public func holds(for store: any SnapshotStore) throws -> Bool { try check(store) }

    init(
        _ description: String,
        _ check: @escaping @Sendable (any SnapshotStore) throws -> Bool
    ) {
        self.description = description
        self.check = check
    }

    static let first = Snapshot(payload: Array("first".utf8), savedAt: .at(-1), metadata: [7])
    static let second = Snapshot(payload: Array(repeating: 0, count: 70_000), savedAt: .at(9))

    private static func reason(_ body: () throws -> Void) -> StoreError.Reason? {
        do {
            try body()
            return nil
        } catch {
            return (error as? StoreError)?.reason
        }
    }

    /// All requirements.
    public static let all: [SnapshotStoreSpec] = reading + naming + writing + appending

    private static let reading: [SnapshotStoreSpec] = [
        SnapshotStoreSpec("loading from an empty store returns nil every time") { store in
            try store.load("salons") == nil && store.load("salons") == nil
        },
        SnapshotStoreSpec("loading returns the saved snapshot every time") { store in
            try store.replace("salons", with: first)
            return try store.load("salons") == first && store.load("salons") == first
        },
        SnapshotStoreSpec("a snapshot with an empty payload is not a missing snapshot") { store in
            try store.replace("salons", with: Snapshot(payload: [], savedAt: .at(0)))
            return try store.load("salons") == Snapshot(payload: [], savedAt: .at(0))
        },
        SnapshotStoreSpec("the metadata can be loaded without the payload") { store in
            let initial = try store.tail(of: "salons", after: nil)?.metadata
            try store.replace("salons", with: first)
            return try initial == nil
                && store.tail(of: "salons", after: nil)?.metadata == first.metadata
        },
        SnapshotStoreSpec("the names of all snapshots are listed in order") { store in
            try store.replace("b", with: first)
            try store.replace("a.2", with: first)
            return try store.names() == ["a.2", "b"]
        },
    ]

    private static let naming: [SnapshotStoreSpec] = [
        SnapshotStoreSpec("any string is a name") { store in
            let names = [
                "", ".", "..", ".lock", ".new", "../x", "/", "a/b", "a", "A", "User:42", "user:42",
                "https://example.com/a?b=%20#c", "a b", "%", "%25", "%2e", "%2E", "+", "a+0", "\0",
                "a\0", "\n", "\u{E4}", "a\u{308}", "🎉", "a.snapshot", "a.snapshot.damaged-1",
            ]
            return try areIndependent(names, in: store)
        },
        SnapshotStoreSpec("a name may have up to 32 KiB, and differ only at its end") { store in
            let lengths = [100, 101, 199, 200, 201, 255, 256, 5_000, Snapshot.maximumNameSize]
            let names = lengths.flatMap { length in
                ["a", "b", "A"].map { String(repeating: "x", count: length - 1) + $0 }
                    + [String(repeating: "/", count: length)]
            }
            return try areIndependent(names, in: store)
        },
        SnapshotStoreSpec("every operation rejects a longer name") { store in
            let name = String(repeating: "x", count: Snapshot.maximumNameSize + 1)
            return [
                reason { _ = try store.load(name) },
                reason { _ = try store.tail(of: name, after: nil) },
                reason {
                    _ = try store.append([], to: name, at: nowhere, savedAt: .at(0))
                },
                reason { try store.replace(name, with: first) },
                reason { try store.remove(name) },
                reason { try store.update(name) { $0 } },
            ].allSatisfy { $0 == .nameTooLong }
        },
    ]

    /// Whether each name has its own snapshot in `store`, is listed, and can be removed.
    private static func areIndependent(
        _ names: [String],
        in store: any SnapshotStore
    ) throws -> Bool {
        for (number, name) in names.enumerated() {
            try store.replace(name, with: snapshot(number))
        }
        let sorted = names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
        guard try store.names().map({ Array($0.utf8) }) == sorted else { return false }
        for (number, name) in names.enumerated() {
            guard try store.load(name) == snapshot(number),
                try store.tail(of: name, after: nil)?.metadata == snapshot(number).metadata
            else {
                return false
            }
            try store.update(name) { $0 == snapshot(number) ? first : nil }
            guard try store.load(name) == first else { return false }
            try store.remove(name)
            guard try store.load(name) == nil else { return false }
        }
        return try store.names().isEmpty
    }

    private static func snapshot(_ number: Int) -> Snapshot {
        Snapshot(payload: Array("\(number)".utf8), savedAt: .at(Int64(number)), metadata: [1, 2])
    }

    private static let writing: [SnapshotStoreSpec] = [
        SnapshotStoreSpec("saving again replaces the snapshot") { store in
            try store.replace("salons", with: first)
            try store.replace("salons", with: second)
            return try store.load("salons") == second
        },
        SnapshotStoreSpec("snapshots with different names are independent") { store in
            try store.replace("salons", with: first)
            try store.replace("appointments", with: second)
            try store.remove("salons")
            return try store.load("appointments") == second
        },
        SnapshotStoreSpec("removing deletes a snapshot; a missing one is not an error") { store in
            try store.remove("salons")
            try store.replace("salons", with: first)
            try store.remove("salons")
            return try store.load("salons") == nil && store.names().isEmpty
        },
        SnapshotStoreSpec("removing all snapshots leaves an empty store that works") { store in
            try store.removeAll()
            for name in ["a", "B", String(repeating: "c", count: 300)] {
                try store.replace(name, with: first)
            }
            try store.removeAll()
            guard try store.names().isEmpty, try store.load("a") == nil else { return false }
            try store.replace("a", with: second)
            return try store.load("a") == second
        },
        SnapshotStoreSpec("an update sees the saved snapshot; nil leaves it unchanged") { store in
            try store.update("salons") { $0 == nil ? first : nil }
            try store.update("salons") { $0 == first ? second : nil }
            try store.update("salons") { _ in nil }
            return try store.load("salons") == second
        },
        SnapshotStoreSpec("a replacement with a false condition changes nothing") { store in
            let isFirst = try store.replace("salons", with: first) { true }
            let isSecond = try store.replace("salons", with: second) { false }
            return try isFirst && !isSecond && store.load("salons") == first
        },
        SnapshotStoreSpec("metadata over the limit is rejected; the snapshot remains") { store in
            let large = Snapshot(
                payload: [],
                savedAt: .at(0),
                metadata: Array(repeating: 1, count: Snapshot.maximumMetadataSize + 1)
            )
            try store.replace("salons", with: first)
            let expected = StoreError.Reason.tooLarge(maximum: Snapshot.maximumMetadataSize)
            return try reason { try store.replace("salons", with: large) }
                == expected
                && reason { try store.update("salons") { _ in large } }
                    == expected
                && store.load("salons") == first
        },
    ]
}
