package import Contract
package import Domain
import NovaBlendAccounts

/// A page of a list at a URL, selected by `?limit=` and `&after=`.
package struct HTTPPage<Codec: ListCodec>: ResourceAPI
where
    Codec.Element.Model: Identifiable,
    Codec.Element.Model.ID: LosslessStringConvertible & Sendable
{
    let list: HTTPResource<Codec>
    let page: Page<Codec.Element.Model>

    package init(list: HTTPResource<Codec>, page: Page<Codec.Element.Model>) {
        self.list = list
        self.page = page
    }

    /// Always downloads the page, because the cached validators belong to the whole list.
    package func load(
        unlessMatching validators: String?
    ) async throws(ServerError) -> ResourceResponse<[Codec.Element.Model]> {
        let resource = HTTPResource<Codec>(url: list.url.map(adding), client: list.client)
        let loaded = try await resource.load()
        return .value(page.trim(loaded.value), validators: nil, ageSeconds: loaded.ageSeconds)
    }

    private func adding(to url: String) -> String {
        var items: [(name: String, value: String)] = []
        if let limit = page.limit { items.append(("limit", "\(limit)")) }
        if let after = page.after { items.append(("after", "\(after)")) }
        return EndpointURL(url).adding(items).text
    }
}
