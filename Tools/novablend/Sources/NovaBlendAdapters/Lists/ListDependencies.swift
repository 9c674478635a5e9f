package import Contract
package import Domain
package import Networking
package import NovaBlendAccounts
package import Persistence
package import SystemSupport

/// The objects with which every list is loaded and cached.
package struct ListDependencies: Sendable {
    let endpoints: Endpoints
    /// The client of the lists themselves.
    let client: any HTTPClient
    /// The client of a call that can continue without the list.
    let lookup: any HTTPClient
    /// The client of requests that no cache may answer.
    let prompt: any HTTPClient
    let images: any HTTPClient
    let feed: HTTPChangeFeed
    let limits: ListLimits
    private let files: FileSnapshotStore
    private let imageFiles: ImageCache
    let memory: ListMemory
    private let knownSubjects: KnownSubjects
    /// Count the changes of the lists that this program changes, by the names of the lists.
    let counters: [String: any ChangeCounter]
    let clock: any WallClock
    let softDeadline: SoftDeadline
    /// The files that images never replace.
    package let ownFiles: ProtectedFiles
    /// Whether nothing is written to the cache. Then a list cannot follow the changes at the server.
    package var isDryRun = false

    package init(
        endpoints: Endpoints,
        client: any HTTPClient,
        lookup: any HTTPClient,
        prompt: any HTTPClient,
        images: any HTTPClient,
        feed: HTTPChangeFeed,
        limits: ListLimits,
        store: FileSnapshotStore,
        imageCache: ImageCache,
        memory: ListMemory,
        subjects: KnownSubjects,
        counters: [String: any ChangeCounter],
        clock: any WallClock,
        softDeadline: SoftDeadline,
        ownFiles: ProtectedFiles
    ) {
        self.endpoints = endpoints
        (self.client, self.lookup, self.prompt) = (client, lookup, prompt)
        (self.images, self.feed, self.limits) = (images, feed, limits)
        (files, imageFiles, self.memory) = (store, imageCache, memory)
        knownSubjects = subjects
        self.counters = counters
        (self.clock, self.softDeadline) = (clock, softDeadline)
        self.ownFiles = ownFiles
    }

    /// The files of the lists.
    package var store: any SnapshotStore { isDryRun ? ReadOnlyStore(files) : files }

    /// The files of the images.
    package var imageCache: ImageCache { isDryRun ? imageFiles.readOnly : imageFiles }

    /// Knows whose a personal list is.
    var subjects: KnownSubjects { isDryRun ? knownSubjects.readOnly : knownSubjects }

    /// The cached list `name`.
    package func cache<Codec: PagedCodec>(
        of name: String,
        isPersonal: Bool = false
    ) -> StoredResource<Codec> {
        StoredResource(
            name: name,
            url: endpoints.url(of: name),
            store: store,
            memory: memory,
            subjects: isPersonal ? subjects : nil
        )
    }

    /// Deletes the damaged copy of the list `name`, if there is one.
    func removeQuarantined(_ name: String) { _ = try? files.removeQuarantined(name) }

    /// Whether the list `name` has a URL.
    package func isConfigured(_ name: String) -> Bool { endpoints.url(of: name) != nil }

    /// Creates a loader for an image that the list `name` refers to.
    package func makeLoader(of image: ImageURL, in name: String) -> ResourceLoader<ImageData> {
        ResourceLoader(
            policy: .imageData,
            server: HTTPImage(url: image, listURL: endpoints.url(of: name), client: images),
            cache: StoredImage(url: image, images: imageCache),
            clock: clock,
            emptyValue: nil
        )
    }
}
