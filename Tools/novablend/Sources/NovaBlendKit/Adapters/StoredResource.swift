import Contract
import Domain
import JSON
import Persistence

/// A resource in a store, written by its codec.
struct StoredResource<Codec: ModelCodec>: ResourceCache {
    let name: String
    let store: any SnapshotStore

    func retrieve() throws(CacheError) -> CachedValue<Codec.Model>? {
        do throws(StoreError) {
            guard let snapshot = try store.load(name) else { return nil }
            let note = SnapshotNote(snapshot.metadata)
            return CachedValue(
                value: try Self.value(of: snapshot, note),
                fetchedAt: Timestamp(secondsSince1970: snapshot.savedAt),
                validators: note.validators
            )
        } catch {
            throw CacheError(.retrieval, reason: error.description)
        }
    }

    func validators() -> String? { note?.validators }

    /// Whether only the beginning of a list is kept.
    var isPart: Bool { note?.isPart == true }

    private var note: SnapshotNote? {
        (try? store.metadata(of: name)).flatMap { $0 }.map(SnapshotNote.init)
    }

    func replace(with cached: CachedValue<Codec.Model>) throws(CacheError) {
        let snapshot = Snapshot(
            payload: Codec.encode(cached.value),
            savedAt: cached.fetchedAt.secondsSince1970,
            metadata: SnapshotNote(
                seal: Codec.seal(of: cached.value),
                validators: cached.validators
            ).metadata
        )
        do throws(StoreError) {
            try store.replace(name, with: snapshot)
        } catch {
            throw CacheError(.insertion, reason: error.description)
        }
    }

    func delete() throws(CacheError) {
        do throws(StoreError) {
            try store.remove(name)
        } catch {
            throw CacheError(.deletion, reason: error.description)
        }
    }

    /// A payload that was written by us and breaks the contract is damage like any other.
    private static func value(
        of snapshot: Snapshot,
        _ note: SnapshotNote
    ) throws(StoreError) -> Codec.Model {
        if let seal = note.seal, let kept = Codec.restore(snapshot.payload, seal: seal) {
            return kept
        }
        do throws(JSONError) {
            return try Codec.decode(snapshot.payload, limits: .bounded(snapshot.payload))
        } catch {
            throw StoreError(.load, path: "the payload", .damaged(error.description))
        }
    }
}
