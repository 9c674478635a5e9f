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

    /// Always downloads the page, because the cached validators belong to the whole list.
    ///
    /// Links to a next page are followed only if the server sent fewer elements than were
    /// requested, because its own limit is lower or the request had no limit.
    package func load(
        unlessMatching validators: String?
    ) async throws(Failure) -> ResourceResponse<[Codec.Element.Model]> {
        var resource = list
        resource.url = list.url.map(adding)
        var count = 0
        let response = try await resource.load { elements in
            count += elements.count
            return page.limit.map { count >= $0 } ?? false
        }
        guard case .value(let elements, _, let age, _) = response else {
            throw .invalidData(reason: "the server returned 304 to an unconditional request")
        }
        return .value(page.trim(elements), validators: nil, ageSeconds: age)
    }

    private func adding(to url: String) -> String {
        var items: [(name: String, value: String)] = []
        if let limit = page.limit { items.append(("limit", "\(limit)")) }
        if let after = page.after { items.append(("after", "\(after)")) }
        return EndpointURL(url).adding(items).text
    }
}
