package import Contract
package import Domain
import Persistence

/// A cached image.
package struct StoredImage: ResourceCache {
    let url: ImageURL
    let images: ImageCache

    package func retrieve() throws(CacheError) -> CachedValue<ImageData>? {
        do throws(StoreError) {
            guard let snapshot = try own() else { return nil }
            guard let image = ImageData(snapshot.payload) else {
                throw StoreError(.load, path: images.name(of: url), .damaged("it is not an image"))
            }
            return CachedValue(
                value: image,
                fetchedAt: snapshot.savedAt,
                validators: Self.parts(of: snapshot).validators
            )
        } catch {
            throw CacheError(.retrieval, reason: error.description)
        }
    }

    package func validators() -> String? { (try? own()).flatMap { Self.parts(of: $0).validators } }

    package func replace(
        with cached: CachedValue<ImageData>,
        if condition: () -> Bool
    ) throws(CacheError) -> Bool {
        let snapshot = Snapshot(
            payload: cached.value.bytes,
            savedAt: cached.fetchedAt,
            metadata: Array("\(url)\n\(cached.validators ?? "")".utf8)
        )
        do throws(StoreError) {
            return try images.changes.replace(images.name(of: url), with: snapshot, if: condition)
        } catch {
            throw CacheError(.insertion, reason: error.description)
        }
    }

    package func delete() throws(CacheError) {
        do throws(StoreError) {
            try images.changes.remove(images.name(of: url))
        } catch {
            throw CacheError(.deletion, reason: error.description)
        }
    }

    /// The stored image of this URL; nil if it belongs to a different URL with the same hash.
    private func own() throws(StoreError) -> Snapshot? {
        guard let snapshot = try images.store.load(images.name(of: url)),
            Self.parts(of: snapshot).url == url.description
        else { return nil }
        return snapshot
    }

    private static func parts(of snapshot: Snapshot) -> (url: String, validators: String?) {
        let text = String(decoding: snapshot.metadata, as: UTF8.self)
        let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let validators = lines.dropFirst().first.map(String.init)
        return (lines.first.map(String.init) ?? "", validators == "" ? nil : validators)
    }
}
