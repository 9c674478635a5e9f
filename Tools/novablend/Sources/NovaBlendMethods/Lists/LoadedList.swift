import Contract
import Domain
import NovaBlendAccounts
import NovaBlendAdapters

/// A list on the engine: whole, or page by page, in one place of the cache.
struct LoadedList<Codec: ListCodec>: Sendable
where
    Codec.Element.Model: Identifiable,
    Codec.Element.Model.ID: LosslessStringConvertible & Sendable
{
    typealias Element = Codec.Element.Model

    let description: ListDescription
    private let remote: HTTPResource<Codec>
    private let cache: StoredResource<Codec>

    init(description: ListDescription) {
        self.description = description
        let dependencies = description.dependencies
        let url = dependencies.endpoints.url(of: description.name)
        remote = HTTPResource(url: url, client: dependencies.client)
        cache = StoredResource(name: description.name, url: url, store: dependencies.store)
    }

    var whole: ResourceLoader<[Element]> { loader(remote, cache) }

    func loader(of page: Page<Element>) -> ResourceLoader<[Element]> {
        if page.isWhole { return whole }
        return loader(HTTPPage(list: remote, page: page), StoredPage(list: cache, page: page))
    }

    /// Whether `loaded` ends before the list does only because no more of it is kept.
    func isCutShort(_ loaded: Loaded<[Element]>, _ page: Page<Element>) -> Bool {
        loaded.provenance.source == .cache && page.isLast(loaded.value) && cache.isPart
    }

    private var dependencies: ListDependencies { description.dependencies }

    private func loader(
        _ remote: some ResourceRemote<[Element]>,
        _ cache: some ResourceCache<[Element]>
    ) -> ResourceLoader<[Element]> {
        ResourceLoader(
            policy: description.policy,
            remote: remote,
            cache: cache,
            clock: dependencies.clock,
            emptyValue: [],
            softDeadline: dependencies.softDeadline
        )
    }
}
