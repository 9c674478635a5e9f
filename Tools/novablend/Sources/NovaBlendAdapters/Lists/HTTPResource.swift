package import Contract
package import Domain
import JSON
package import Networking

/// A list at a URL, decoded by its codec. A server may send it in several pages, which link to the
/// next one.
package struct HTTPResource<Codec: PagedCodec>: ResourceAPI {
    var url: String?
    let client: any HTTPClient
    let limits: ListLimits
    /// Counts the changes that this program makes to the resource; nil if it makes none. With a
    /// counter, no cache answers, and a request does not share the response to one from before a
    /// change.
    var changes: (any ChangeCounter)?
    /// Whether shared caches may answer as long as the counter is 0. Most programs never change the
    /// salons, for example.
    var isCacheableUntilChanged = false

    package init(
        url: String?,
        client: any HTTPClient,
        limits: ListLimits,
        changes: (any ChangeCounter)? = nil,
        isCacheableUntilChanged: Bool = false
    ) {
        (self.url, self.client, self.limits, self.changes) = (url, client, limits, changes)
        self.isCacheableUntilChanged = isCacheableUntilChanged
    }

    /// Loads all pages. A list of several pages has no validators, because those of a page do not
    /// cover the others.
    package func load(
        unlessMatching validators: String?
    ) async throws(ServerError) -> ResourceResponse<Codec.Model> {
        try await load(unlessMatching: validators) { _ in false }
    }

    /// Loads pages up to the first one for which `isEnough` returns true.
    func load(
        unlessMatching validators: String? = nil,
        until isEnough: (Codec.Model) -> Bool
    ) async throws(ServerError) -> ResourceResponse<Codec.Model> {
        var pages = try pages(unlessMatching: validators)
        guard let first = try await pages.next() else { throw .notConfigured }
        let age = Int64(first.age ?? 0)
        if first.status == 304 {
            // Only the first of several pages is unchanged, so request all of them.
            guard pages.isAtEnd else { return try await load(until: isEnough) }
            return .unchanged(ageSeconds: age)
        }
        let value = try Self.decode(first)
        if pages.isAtEnd {
            return .value(value, validators: Validators(first)?.description, ageSeconds: age)
        }
        if isEnough(value) { return .value(value, validators: nil, ageSeconds: age) }
        return try await loadRest(&pages, after: value, ageSeconds: age, until: isEnough)
    }

    private func loadRest(
        _ pages: inout ListPages,
        after first: Codec.Model,
        ageSeconds: Int64,
        until isEnough: (Codec.Model) -> Bool
    ) async throws(ServerError) -> ResourceResponse<Codec.Model> {
        var (values, age) = ([first], ageSeconds)
        let start = ContinuousClock.now
        while let response = try await pages.next() {
            let value = try Self.decode(response)
            values.append(value)
            age = max(age, Int64(response.age ?? 0))
            if isEnough(value) { break }
        }
        // The list is as old as its oldest page.
        age += start.duration(to: .now).components.seconds
        do throws(JSONError) {
            return .value(try Codec.join(values), validators: nil, ageSeconds: age)
        } catch {
            throw .invalidData(reason: "the pages of the list cannot be joined: \(error)")
        }
    }

    private func pages(unlessMatching validators: String?) throws(ServerError) -> ListPages {
        guard let url else { throw .notConfigured }
        var request = HTTPRequest(.get, url, headers: ["Accept": "application/json"])
        validators.flatMap(Validators.init)?.apply(to: &request)
        var bypass: CacheBypass?
        if let count = changes?.value, count > 0 || !isCacheableUntilChanged {
            request.headers["Cache-Control"] = "no-cache"
            request.coalescing = .allowed(generation: count)
            bypass = .afterChanges(count)
        }
        return ListPages(request, bypass: bypass, client: client, limits: limits)
    }

    private static func decode(_ response: HTTPResponse) throws(ServerError) -> Codec.Model {
        do throws(JSONError) {
            let limits = JSONLimits(maximumBytes: response.body.count)
            return try Codec.decode(response.body, limits: limits)
        } catch {
            throw ServerError(unreadable: response, because: error)
        }
    }
}
