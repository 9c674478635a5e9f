package import Contract
package import Domain
package import Networking
package import NovaBlendAccounts
package import Persistence
package import SystemSupport

/// A list of the server: what, with its codec, everything that loads, caches, and follows it is made
/// from.
///
/// It does not include the codec: instantiating such types for all lists would slow down the start of
/// the program.
package struct ListDeclaration: Sendable {
    /// Who sees a list, and whether this program changes it.
    package enum Audience: Sendable, Hashable {
        /// Everyone sees the same list, and this program does not change it.
        case everyone
        /// Everyone sees the same list, and this program may change it. The feed of changes calls an
        /// element `kind`.
        case everyoneChanging(kind: String)
        /// Each customer sees a different list, and this program may change it.
        case customer(kind: String)
    }

    /// The salons.
    package static let salons = ListDeclaration(
        SalonListCodec.name,
        policy: .salons,
        audience: .everyoneChanging(kind: "salon")
    )

    /// The appointments of the customer.
    package static let appointments = ListDeclaration(
        AppointmentListCodec.name,
        policy: .appointments,
        audience: .customer(kind: "appointment")
    )

    /// The name of the resource.
    package let name: String
    let policy: CachePolicy
    let audience: Audience

    /// Declares a list.
    package init(_ name: String, policy: CachePolicy, audience: Audience = .everyone) {
        (self.name, self.policy, self.audience) = (name, policy, audience)
    }

    /// What the feed of changes calls an element; nil if the list does not follow the feed.
    package var kind: String? {
        switch audience {
        case .everyone: nil
        case .everyoneChanging(let kind), .customer(let kind): kind
        }
    }

    var isPersonal: Bool { if case .customer = audience { true } else { false } }
}

/// The loaders of a list, which all share its cached copy. The codec is that of the declared list,
/// encoded or not.
package struct LoadedList<Codec: PagedCodec>: Sendable {
    private let list: ListDeclaration
    private let dependencies: ListDependencies
    /// The cached list.
    package let cache: StoredResource<Codec>

    package init(_ list: ListDeclaration, _ dependencies: ListDependencies) {
        (self.list, self.dependencies) = (list, dependencies)
        cache = dependencies.cache(of: list.name, isPersonal: list.isPersonal)
    }

    /// The loader of the whole list.
    package var whole: ResourceLoader<Codec.Model> {
        loader(dependencies.client, dependencies.limits)
    }

    /// The loader for a call that can continue without the list, so that it does not wait long.
    package var prompt: ResourceLoader<Codec.Model> {
        loader(dependencies.lookup, dependencies.limits.prompt)
    }

    private func loader(
        _ client: any HTTPClient,
        _ limits: ListLimits
    ) -> ResourceLoader<Codec.Model> {
        let counter = dependencies.counters[list.name]
        return ResourceLoader(
            policy: list.policy,
            server: server(client, limits),
            direct: counter == nil || list.isPersonal
                ? nil : server(dependencies.prompt, dependencies.limits.prompt, isDirect: true),
            cache: cache,
            clock: dependencies.clock,
            emptyValue: Codec.empty,
            softDeadline: dependencies.softDeadline,
            changes: counter,
            follower: follower(within: limits)
        )
    }

    /// The list at its server. With `isDirect`, no cache on the way answers.
    private func server(
        _ client: any HTTPClient,
        _ limits: ListLimits,
        isDirect: Bool = false
    ) -> HTTPResource<Codec> {
        let freshness: HTTPResource<Codec>.Freshness =
            switch dependencies.counters[list.name] {
            case _ where isDirect: .direct
            case nil: .cacheable
            case let counter? where list.isPersonal: .personal(counter)
            case let counter?: .cacheableUntilChanged(counter)
            }
        return HTTPResource(
            url: dependencies.endpoints.url(of: list.name),
            client: client,
            limits: limits,
            freshness: freshness,
            subjects: list.isPersonal && !dependencies.isDryRun ? dependencies.subjects : nil
        )
    }

    private func follower(within limits: ListLimits) -> (any FeedFollower)? {
        guard let kind = list.kind, !dependencies.isDryRun else { return nil }
        return FollowedList(
            cache,
            feed: dependencies.feed.limited(to: limits),
            kind: kind,
            clock: dependencies.clock,
            onDeletion: { [list, dependencies] in
                // A damaged copy of a personal list may contain what was deleted.
                if list.isPersonal { dependencies.removeQuarantined(list.name) }
            }
        )
    }
}

extension LoadedList
where
    Codec: ListCodec,
    Codec.Element.Model: Identifiable,
    Codec.Element.Model.ID: LosslessStringConvertible & Sendable
{
    /// The loader of `page`.
    package func loader(
        of page: Page<Codec.Element.Model>
    ) -> ResourceLoader<[Codec.Element.Model]> {
        if page.isWhole { return whole }
        let server = server(dependencies.client, dependencies.limits)
        return ResourceLoader(
            policy: list.policy,
            server: HTTPPage(list: server, page: page),
            cache: StoredPage(list: cache, page: page),
            clock: dependencies.clock,
            emptyValue: Codec.empty,
            softDeadline: dependencies.softDeadline
        )
    }
}

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
