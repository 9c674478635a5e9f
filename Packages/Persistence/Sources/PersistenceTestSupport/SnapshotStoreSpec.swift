public import Persistence

/// What every store does, said once: run it on each store that there is.
///
/// A spec is checked on a fresh store.
public struct SnapshotStoreSpec: Sendable, CustomStringConvertible {
    /// What holds.
    public let description: String
    private let check: @Sendable (any SnapshotStore) throws -> Bool

    /// Whether it holds for `store`, which must be empty.
    public func holds(for store: any SnapshotStore) throws -> Bool { try check(store) }

    private init(
        _ description: String,
        _ check: @escaping @Sendable (any SnapshotStore) throws -> Bool
    ) {
        self.description = description
        self.check = check
    }

    private static let first = Snapshot(payload: Array("first".utf8), savedAt: -1, metadata: [7])
    private static let second = Snapshot(payload: Array(repeating: 0, count: 70_000), savedAt: 9)

    private static func reason(_ body: () throws(StoreError) -> Void) -> StoreError.Reason? {
        do throws(StoreError) {
            try body()
            return nil
        } catch {
            return error.reason
        }
    }

    /// All specs.
    public static let all: [SnapshotStoreSpec] = reading + writing

    private static let reading: [SnapshotStoreSpec] = [
        SnapshotStoreSpec("loading from an empty store gives nothing, and again nothing") { store in
            try store.load("salons") == nil && store.load("salons") == nil
        },
        SnapshotStoreSpec("loading gives what was saved, as often as it is asked") { store in
            try store.replace("salons", with: first)
            return try store.load("salons") == first && store.load("salons") == first
        },
        SnapshotStoreSpec("an empty payload is something, not nothing") { store in
            try store.replace("salons", with: Snapshot(payload: [], savedAt: 0))
            return try store.load("salons") == Snapshot(payload: [], savedAt: 0)
        },
        SnapshotStoreSpec("the metadata can be had alone") { store in
            let nothing = try store.metadata(of: "salons")
            try store.replace("salons", with: first)
            return try nothing == nil && store.metadata(of: "salons") == first.metadata
        },
        SnapshotStoreSpec("names lists what is kept, sorted") { store in
            try store.replace("b", with: first)
            try store.replace("a.2", with: first)
            return try store.names() == ["a.2", "b"]
        },
        SnapshotStoreSpec("a name that could be a path is refused by every operation") { store in
            ["", ".", "../x", "a/b", "A", "a b", String(repeating: "x", count: 101)].allSatisfy {
                name in
                reason { () throws(StoreError) in _ = try store.load(name) } == .invalidName
                    && reason { () throws(StoreError) in _ = try store.metadata(of: name) }
                        == .invalidName
                    && reason { () throws(StoreError) in try store.replace(name, with: first) }
                        == .invalidName
                    && reason { () throws(StoreError) in try store.remove(name) } == .invalidName
                    && reason { () throws(StoreError) in try store.update(name) { $0 } }
                        == .invalidName
            }
        },
    ]

    private static let writing: [SnapshotStoreSpec] = [
        SnapshotStoreSpec("saving again takes the place of what was saved") { store in
            try store.replace("salons", with: first)
            try store.replace("salons", with: second)
            return try store.load("salons") == second
        },
        SnapshotStoreSpec("names do not touch each other") { store in
            try store.replace("salons", with: first)
            try store.replace("appointments", with: second)
            try store.remove("salons")
            return try store.load("appointments") == second
        },
        SnapshotStoreSpec("removing forgets, and removing nothing is no error") { store in
            try store.remove("salons")
            try store.replace("salons", with: first)
            try store.remove("salons")
            return try store.load("salons") == nil && store.names().isEmpty
        },
        SnapshotStoreSpec("updating sees what is kept, and nil leaves it") { store in
            try store.update("salons") { $0 == nil ? first : nil }
            try store.update("salons") { $0 == first ? second : nil }
            try store.update("salons") { _ in nil }
            return try store.load("salons") == second
        },
        SnapshotStoreSpec("replacing on a condition that is false leaves what was saved") { store in
            let isFirst = try store.replace("salons", with: first) { true }
            let isSecond = try store.replace("salons", with: second) { false }
            return try isFirst && !isSecond && store.load("salons") == first
        },
        SnapshotStoreSpec("too much metadata is refused, and what was kept stays") { store in
            let large = Snapshot(
                payload: [],
                savedAt: 0,
                metadata: Array(repeating: 1, count: Snapshot.largestMetadata + 1)
            )
            try store.replace("salons", with: first)
            let expected = StoreError.Reason.tooLarge(maximum: Snapshot.largestMetadata)
            return try reason { () throws(StoreError) in try store.replace("salons", with: large) }
                == expected
                && reason { () throws(StoreError) in try store.update("salons") { _ in large } }
                    == expected
                && store.load("salons") == first
        },
    ]
}
