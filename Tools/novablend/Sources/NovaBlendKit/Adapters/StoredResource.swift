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
            return CachedValue(
                value: try Self.decode(snapshot),
                fetchedAt: Timestamp(secondsSince1970: snapshot.savedAt),
                validators: Self.validators(of: snapshot)
            )
        } catch {
            throw CacheError(.retrieval, reason: error.description)
        }
    }

    func validators() -> String? {
        guard let snapshot = try? store.load(name) else { return nil }
        return Self.validators(of: snapshot)
    }

    /// Stands in the place of validators where only the beginning of a list is kept. No validator
    /// has such a character.
    static var partMark: [UInt8] { [1] }

    /// Whether only the beginning of a list is kept.
    var isPart: Bool { (try? store.load(name))?.metadata == Self.partMark }

    private static func validators(of snapshot: Snapshot) -> String? {
        if snapshot.metadata.isEmpty || snapshot.metadata == partMark { return nil }
        return String(decoding: snapshot.metadata, as: UTF8.self)
    }

    func replace(with cached: CachedValue<Codec.Model>) throws(CacheError) {
        let snapshot = Snapshot(
            payload: Codec.encode(cached.value),
            savedAt: cached.fetchedAt.secondsSince1970,
            metadata: Array((cached.validators ?? "").utf8)
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
    private static func decode(_ snapshot: Snapshot) throws(StoreError) -> Codec.Model {
        do throws(JSONError) {
            return try Codec.decode(snapshot.payload)
        } catch {
            throw StoreError(.load, path: "the payload", .damaged(error.description))
        }
    }
}
