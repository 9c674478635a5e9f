package import Contract
package import Domain
import NovaBlendAccounts

/// The loaders of a list: one for the whole list, and one for each page. All share the cached list.
package struct LoadedList<Codec: ListCodec>: Sendable
where
    Codec.Element.Model: Identifiable,
    Codec.Element.Model.ID: LosslessStringConvertible & Sendable
{
    package typealias Element = Codec.Element.Model

    private let policy: CachePolicy
    private let server: HTTPResource<Codec>
    private let cache: StoredResource<Codec>
    private let dependencies: ListDependencies

    package init(_ name: String, policy: CachePolicy, dependencies: ListDependencies) {
        self.policy = policy
        self.dependencies = dependencies
        let url = dependencies.endpoints.url(of: name)
        server = HTTPResource(
            url: url,
            client: dependencies.client,
            limits: dependencies.limits
        )
        cache = StoredResource(
            name: name,
            url: url,
            store: dependencies.store,
            memory: dependencies.memory
        )
    }

    /// The loader of the whole list.
    package var whole: ResourceLoader<[Element]> { makeLoader(server, cache) }

    /// The loader of `page`.
    package func loader(of page: Page<Element>) -> ResourceLoader<[Element]> {
        if page.isWhole { return whole }
        return makeLoader(HTTPPage(list: server, page: page), StoredPage(list: cache, page: page))
    }

    private func makeLoader(
        _ server: some ResourceAPI<[Element]>,
        _ cache: some ResourceCache<[Element]>
    ) -> ResourceLoader<[Element]> {
        ResourceLoader(
            policy: policy,
            server: server,
            cache: cache,
            clock: dependencies.clock,
            emptyValue: [],
            softDeadline: dependencies.softDeadline
        )
    }
}
