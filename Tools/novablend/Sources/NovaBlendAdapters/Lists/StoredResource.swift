package import Contract
package import Domain
import JSON
import NovaBlendAccounts
package import Persistence

/// A cached resource, encoded by its codec. A cached resource from a different URL is ignored.
package struct StoredResource<Codec: ModelCodec>: ResourceCache {
    let name: String
    /// The identity of the URL that the resource comes from.
    let url: String?
    let store: any SnapshotStore

    package init(name: String, url: String?, store: any SnapshotStore) {
        self.name = name
        self.url = url.map(URLParts.identity)
        self.store = store
    }

    package func retrieve() throws(CacheError) -> CachedValue<Codec.Model>? {
        let loaded: Snapshot?
        do throws(StoreError) {
            loaded = try store.load(name)
        } catch {
            throw CacheError(.retrieval, reason: error.description)
        }
        return try loaded.flatMap(decode)
    }

    /// Decodes a snapshot; nil if it comes from a different URL.
    private func decode(_ snapshot: Snapshot) throws(CacheError) -> CachedValue<Codec.Model>? {
        let metadata = SnapshotMetadata(snapshot.metadata)
        guard metadata.url == url else { return nil }
        let payload = snapshot.payload
        var value = metadata.validationStamp.flatMap { Codec.restore(payload, validationStamp: $0) }
        do throws(JSONError) {
            let limits = JSONLimits(maximumBytes: payload.count)
            if value == nil { value = try Codec.decode(payload, limits: limits) }
        } catch {
            // A stored payload that violates the contract counts as damaged.
            let damage = StoreError(.load, path: "the payload", .damaged(error.description))
            throw CacheError(.retrieval, reason: damage.description)
        }
        return value.map { value in
            CachedValue(
                value: value,
                fetchedAt: Timestamp(secondsSince1970: snapshot.savedAt),
                validators: metadata.validators,
                isComplete: !metadata.isPart
            )
        }
    }

    package func validators() -> String? {
        let stored = (try? store.metadata(of: name)).flatMap { $0 }.map(SnapshotMetadata.init)
        return stored?.url == url ? stored?.validators : nil
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
                validationStamp: Codec.validationStamp(of: cached.value),
                validators: cached.validators
            ).bytes
        )
        do throws(StoreError) {
            return try store.replace(name, with: snapshot, if: condition)
        } catch {
            throw CacheError(.insertion, reason: error.description)
        }
    }

    /// Appends only the time, because a list can be large, unless there are many such records.
    package func confirm(
        _ cached: CachedValue<Codec.Model>,
        if condition: () -> Bool
    ) throws(CacheError) -> Bool {
        do throws(StoreError) {
            guard let tail = try store.tail(of: name, after: nil) else { return condition() }
            let metadata = SnapshotMetadata(tail.metadata)
            guard metadata.url == url, metadata.validators == cached.validators else {
                return condition()
            }
            if !tail.isLong {
                guard condition() else { return false }
                let savedAt = cached.fetchedAt.secondsSince1970
                _ = try store.append([], to: name, at: tail.position, savedAt: savedAt)
                return true
            }
        } catch {
            throw CacheError(.insertion, reason: error.description)
        }
        return try replace(with: cached, if: condition)
    }

    package func delete() throws(CacheError) {
        do throws(StoreError) {
            try store.remove(name)
        } catch {
            throw CacheError(.deletion, reason: error.description)
        }
    }
}

extension StoredResource: ListCache where Codec: ListCodec {
    package func elements() -> [Codec.Element.Model]? { (try? retrieve())?.value }

    /// The new list has no validators, since the server has not sent this exact list.
    package func update(
        _ change: ([Codec.Element.Model]?) -> [Codec.Element.Model]?
    ) throws(CacheError) {
        var failure: CacheError?
        do throws(StoreError) {
            try store.update(name) { current in
                do throws(CacheError) {
                    let cached = try current.flatMap(decode)
                    return change(cached?.value).map { snapshot(of: $0, replacing: cached) }
                } catch {
                    failure = CacheError(.insertion, reason: error.reason)
                    return nil
                }
            }
        } catch {
            throw CacheError(.insertion, reason: error.description)
        }
        if let failure { throw failure }
    }

    private func snapshot(
        of elements: [Codec.Element.Model],
        replacing cached: CachedValue<Codec.Model>?
    ) -> Snapshot {
        let list = EncodedList<Codec>(elements)
        let metadata = SnapshotMetadata(
            url: url,
            isPart: cached?.isComplete != true,
            validationStamp: EncodedListCodec<Codec>.validationStamp(of: list)
        )
        var snapshot = Snapshot(payload: list.bytes, metadata: metadata.bytes)
        if let cached { snapshot.savedAt = cached.fetchedAt.secondsSince1970 }
        return snapshot
    }
}
