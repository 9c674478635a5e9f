package import Contract
package import Domain
package import Networking
package import NovaBlendAccounts
package import Persistence
package import SystemSupport

/// The objects with which every list other than salons and appointments is loaded and cached.
package struct ListDependencies: Sendable {
    let endpoints: Endpoints
    let client: any HTTPClient
    let images: any HTTPClient
    let imageCache: ImageCache
    let limits: ListLimits
    let store: any SnapshotStore
    let memory: ListMemory
    let clock: any WallClock
    let softDeadline: SoftDeadline
    /// The files that images never replace.
    package let ownFiles: ProtectedFiles

    package init(
        endpoints: Endpoints,
        client: any HTTPClient,
        images: any HTTPClient,
        imageCache: ImageCache,
        limits: ListLimits,
        store: any SnapshotStore,
        memory: ListMemory,
        clock: any WallClock,
        softDeadline: SoftDeadline,
        ownFiles: ProtectedFiles
    ) {
        self.endpoints = endpoints
        self.client = client
        self.images = images
        self.imageCache = imageCache
        self.limits = limits
        self.store = store
        self.memory = memory
        self.clock = clock
        self.softDeadline = softDeadline
        self.ownFiles = ownFiles
    }

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
