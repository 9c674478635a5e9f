package import Contract
package import Domain
import JSON
import NovaBlendAccounts
package import Persistence
import Synchronization

/// A cached resource, encoded by its codec, followed by what has changed in it since. A cached resource
/// from a different URL is ignored.
package struct StoredResource<Codec: PagedCodec>: ResourceCache {
    package let name: String
    /// The identity of the URL that the resource comes from.
    let url: String?
    let store: any SnapshotStore
    private let applied = AppliedChanges<Codec>()

    package init(name: String, url: String?, store: any SnapshotStore) {
        self.name = name
        self.url = url.map(URLParts.identity)
        self.store = store
    }

    package func retrieve() throws(CacheError) -> CachedValue<Codec.Model>? {
        do throws(StoreError) {
            if let list = try retrieveApplied() { return list }
            guard var snapshot = try store.load(name) else { return nil }
            var position: SnapshotPosition?
            // The position must be that of the snapshot, or one that is no longer found.
            if !snapshot.records.isEmpty, let tail = try store.tail(of: name, after: nil),
                let current = try store.load(name)
            {
                snapshot = current
                position = tail.records == current.records ? tail.position : nil
            }
            let list = try decode(snapshot)
            if let list, let position { applied.set((position, list)) }
            return list
        } catch {
            throw CacheError(.retrieval, reason: error.description)
        }
    }

    /// The list that was retrieved last, with what has been appended since; nil if it was replaced.
    private func retrieveApplied() throws(StoreError) -> CachedValue<Codec.Model>? {
        guard let (position, known) = applied.content else { return nil }
        guard let tail = try store.tail(of: name, after: position), !tail.isWhole else {
            applied.set(nil)
            return nil
        }
        var list = known
        try apply(tail.records, to: &list)
        list.fetchedAt = Timestamp(secondsSince1970: tail.savedAt)
        applied.set((tail.position, list))
        return list
    }

    /// Decodes a snapshot; nil if it comes from a different URL.
    func decode(_ snapshot: Snapshot) throws(StoreError) -> CachedValue<Codec.Model>? {
        let metadata = SnapshotMetadata(snapshot.metadata)
        guard metadata.url == url else { return nil }
        let payload = snapshot.payload
        let value: Codec.Model
        do throws(JSONError) {
            let stored = metadata.validationStamp.flatMap {
                Codec.restore(payload, validationStamp: $0)
            }
            if let stored {
                value = stored
            } else {
                value = try Codec.decode(payload, limits: JSONLimits(maximumBytes: payload.count))
            }
        } catch {
            throw Self.damage(error)
        }
        var list = CachedValue(
            value: value,
            fetchedAt: Timestamp(secondsSince1970: snapshot.savedAt),
            validators: metadata.validators,
            cursor: metadata.cursor,
            isComplete: !metadata.isPart
        )
        try apply(snapshot.records, to: &list)
        return list
    }

    private func apply(
        _ records: [[UInt8]],
        to list: inout CachedValue<Codec.Model>
    ) throws(StoreError) {
        do throws(JSONError) {
            for bytes in records {
                let record = try ListRecord<Codec>(bytes)
                list.cursor = record.cursor ?? list.cursor
                if record.isEmpty { continue }
                list.value = try record.applied(to: list.value)
                list.validators = nil
            }
        } catch {
            throw Self.damage(error)
        }
    }

    /// A stored payload that violates the contract counts as damaged.
    private static func damage(_ error: JSONError) -> StoreError {
        StoreError(.load, path: "the payload", .damaged(error.description))
    }

    package func validators() -> String? {
        guard let tail = try? store.tail(of: name, after: nil) else { return nil }
        let metadata = SnapshotMetadata(tail.metadata)
        let records = tail.records.map { try? ListRecord<Codec>($0) }
        return metadata.url == url && records.allSatisfy { $0?.isEmpty == true }
            ? metadata.validators : nil
    }

    package func replace(
        with cached: CachedValue<Codec.Model>,
        if condition: () -> Bool
    ) throws(CacheError) -> Bool {
        do throws(StoreError) {
            return try store.replace(name, with: snapshot(of: cached), if: condition)
        } catch {
            throw CacheError(.insertion, reason: error.description)
        }
    }

    func snapshot(of cached: CachedValue<Codec.Model>) -> Snapshot {
        Snapshot(
            payload: Codec.encode(cached.value),
            savedAt: cached.fetchedAt.secondsSince1970,
            metadata: SnapshotMetadata(
                url: url,
                isPart: !cached.isComplete,
                cursor: cached.cursor,
                validationStamp: Codec.validationStamp(of: cached.value),
                validators: cached.validators
            ).bytes
        )
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
                let record = ListRecord<Codec>(cursor: cached.cursor).bytes
                _ = try store.append(record, to: name, at: tail.position, savedAt: savedAt)
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
                do throws(StoreError) {
                    let cached = try current.flatMap(decode)
                    return change(cached?.value).map { snapshot(of: $0, replacing: cached) }
                } catch {
                    failure = CacheError(.insertion, reason: error.description)
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
            cursor: cached?.cursor,
            validationStamp: EncodedListCodec<Codec>.validationStamp(of: list)
        )
        var snapshot = Snapshot(payload: list.bytes, metadata: metadata.bytes)
        if let cached { snapshot.savedAt = cached.fetchedAt.secondsSince1970 }
        return snapshot
    }
}

/// A cached list with all changes that were appended to it, so that none is applied twice. A list
/// without changes does not stay in memory, because it is read quickly.
final class AppliedChanges<Codec: PagedCodec>: Sendable {
    typealias Content = (position: SnapshotPosition, list: CachedValue<Codec.Model>)

    private let current = Mutex<Content?>(nil)

    var content: Content? { current.withLock(\.self) }

    func set(_ content: Content?) { current.withLock { $0 = content } }
}
