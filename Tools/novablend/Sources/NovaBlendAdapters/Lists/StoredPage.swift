package import Contract
package import Domain
import JSON
import Persistence

/// A page of the cached list.
package struct StoredPage<Codec: ListCodec>: ResourceCache
where Codec.Element.Model: Identifiable, Codec.Element.Model.ID: Sendable {
    package typealias Element = Codec.Element.Model

    let list: StoredResource<Codec>
    let page: Page<Element>

    package func retrieve() throws -> CachedValue<[Element]>? {
        guard let cached = try list.retrieve(), let elements = page.elements(in: cached.value)
        else {
            return nil
        }
        // A page in the middle is complete even if the end of the list is missing.
        return CachedValue(
            value: elements,
            fetchedAt: cached.fetchedAt,
            isComplete: cached.isComplete || !page.isLast(elements)
        )
    }

    package func validators() -> String? { nil }

    /// Stores the first page, or merges a later page into the cached list. The list retains the age
    /// of its first page.
    package func replace(
        with cached: CachedValue<[Element]>,
        if condition: () -> Bool
    ) throws -> Bool {
        let isPart = !page.isLast(cached.value)
        let metadata = SnapshotMetadata(url: list.url, isPart: isPart).bytes
        func snapshot(_ list: [Element], _ savedAt: Timestamp) -> Snapshot {
            Snapshot(payload: Codec.encode(list), savedAt: savedAt, metadata: metadata)
        }
        guard page.after != nil else {
            let first = snapshot(cached.value, cached.fetchedAt)
            return try list.store.replace(list.name, with: first, if: condition)
        }
        var isWanted = true
        try list.store.update(list.name) { current in
            isWanted = condition()
            guard isWanted, let current, SnapshotMetadata(current.metadata).url == list.url,
                let earlier = try? Codec.decode(
                    current.payload,
                    limits: JSONLimits(maximumBytes: current.payload.count)
                ),
                let merged = page.merge(cached.value, into: earlier)
            else { return nil }
            return snapshot(merged, current.savedAt)
        }
        return isWanted
    }

    package func delete() throws { try list.delete() }
}
