package import Contract
package import Domain
import JSON
import NovaBlendAccounts
package import Persistence

/// A cached resource, encoded by its codec. A resource from a different URL is ignored.
package struct StoredResource<Codec: ModelCodec>: ResourceCache {
    let name: String
    /// The normalized URL that the resource comes from.
    let url: String?
    let store: any SnapshotStore

    package init(name: String, url: String?, store: any SnapshotStore) {
        self.name = name
        self.url = url.map(URLParts.normalized)
        self.store = store
    }

    package func retrieve() throws(CacheError) -> CachedValue<Codec.Model>? {
        do throws(StoreError) {
            guard let snapshot = try store.load(name) else { return nil }
            let metadata = SnapshotMetadata(snapshot.metadata)
            guard metadata.url == url else { return nil }
            return CachedValue(
                value: try Self.value(of: snapshot, metadata),
                fetchedAt: Timestamp(secondsSince1970: snapshot.savedAt),
                validators: metadata.validators
            )
        } catch {
            throw CacheError(.retrieval, reason: error.description)
        }
    }

    package func validators() -> String? { metadata?.validators }

    /// Whether only the beginning of a list is cached.
    package var isPart: Bool { metadata?.isPart == true }

    private var metadata: SnapshotMetadata? {
        let stored = (try? store.metadata(of: name)).flatMap { $0 }.map(SnapshotMetadata.init)
        return stored?.url == url ? stored : nil
    }

    package func replace(
        with cached: CachedValue<Codec.Model>,
        if condition: () -> Bool
    ) throws(CacheError) -> Bool {
        let snapshot = Snapshot(
            payload: Codec.encode(cached.value),
            savedAt: cached.fetchedAt.secondsSince1970,
            metadata: SnapshotMetadata(
                url: url,
                validationStamp: Codec.seal(of: cached.value),
                validators: cached.validators
            ).bytes
        )
        do throws(StoreError) {
            return try store.replace(name, with: snapshot, if: condition)
        } catch {
            throw CacheError(.insertion, reason: error.description)
        }
    }

    package func delete() throws(CacheError) {
        do throws(StoreError) {
            try store.remove(name)
        } catch {
            throw CacheError(.deletion, reason: error.description)
        }
    }

    /// A stored payload that breaks the contract counts as damaged.
    private static func value(
        of snapshot: Snapshot,
        _ metadata: SnapshotMetadata
    ) throws(StoreError) -> Codec.Model {
        if let stamp = metadata.validationStamp,
            let restored = Codec.restore(snapshot.payload, seal: stamp)
        {
            return restored
        }
        do throws(JSONError) {
            return try Codec.decode(snapshot.payload, limits: .bounded(snapshot.payload))
        } catch {
            throw StoreError(.load, path: "the payload", .damaged(error.description))
        }
    }
}
