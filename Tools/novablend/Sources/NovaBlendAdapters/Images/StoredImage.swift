package import Contract
package import Domain
import Persistence

/// A cached image.
package struct StoredImage: ResourceCache {
    let url: ImageURL
    let images: ImageCache

    package func retrieve() throws -> CachedValue<ImageData>? {
        guard let snapshot = try own() else { return nil }
        guard let image = ImageData(snapshot.payload) else {
            throw StoreError(.load, path: images.name(of: url), .damaged("it is not an image"))
        }
        return CachedValue(
            value: image,
            fetchedAt: snapshot.savedAt,
            validators: Self.parts(of: snapshot).validators
        )
    }

    package func validators() -> String? { (try? own()).flatMap { Self.parts(of: $0).validators } }

    package func replace(
        with cached: CachedValue<ImageData>,
        if condition: () -> Bool
    ) throws -> Bool {
        let snapshot = Snapshot(
            payload: cached.value.bytes,
            savedAt: cached.fetchedAt,
            metadata: Array("\(url)\n\(cached.validators ?? "")".utf8)
        )
        return try images.changes.replace(images.name(of: url), with: snapshot, if: condition)
    }

    package func delete() throws {
        try images.changes.remove(images.name(of: url))
    }

    /// The stored image of this URL; nil if there is none. Two URLs with the same hash have the same
    /// file, which may contain the image of the other one.
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
