package import Contract
package import Domain
import JSON
package import Networking
import NovaBlendAccounts

/// A list at a URL, decoded by its codec. A server may send it in several pages, which link to the
/// next one.
package struct HTTPResource<Codec: PagedCodec>: ResourceAPI {
    /// Which caches may answer, and whether the list depends on the credentials.
    package enum Freshness: Sendable {
        /// Any cache may answer.
        case cacheable
        /// The program changes the list, and counts the changes. After the first change, no cache
        /// answers, and a request does not share the response to a request from before a change.
        case cacheableUntilChanged(any ChangeCounter)
        /// The program changes the list, and no cache answers, not even before the first change. A
        /// different origin would not receive the caller's credentials and might show less, so a
        /// redirect to one is an error.
        case personal(any ChangeCounter)
        /// No cache answers, not even one that ignores `Cache-Control: no-cache` in requests.
        case direct
    }

    var url: String?
    let client: any HTTPClient
    let limits: ListLimits
    let freshness: Freshness
    /// Learns whose the list is; nil for a list that does not depend on the customer.
    private let subjects: KnownSubjects?

    package init(
        url: String?,
        client: any HTTPClient,
        limits: ListLimits,
        freshness: Freshness = .cacheable,
        subjects: KnownSubjects? = nil
    ) {
        (self.url, self.limits, self.freshness) = (url, limits, freshness)
        self.subjects = subjects
        self.client = freshness.sharing(client)
    }

    /// Loads all pages. A list of several pages has no validators, because those of a page do not
    /// cover the others.
    package func load(
        unlessMatching validators: String?
    ) async throws(Failure) -> ResourceResponse<Codec.Model> {
        try await load(unlessMatching: validators) { _ in false }
    }

    /// Loads pages up to the first one for which `isEnough` returns true.
    func load(
        unlessMatching validators: String? = nil,
        until isEnough: (Codec.Model) -> Bool
    ) async throws(Failure) -> ResourceResponse<Codec.Model> {
        var pages = try pages(unlessMatching: validators)
        let start = ContinuousClock.now
        guard let first = try await pages.next() else { throw .notConfigured }
        let (age, cursor) = (try age(of: first, since: start), HTTPChangeFeed.cursor(of: first))
        if first.status == 304 {
            // A 304 response shows only that the first of several pages is unchanged, so request
            // all of them.
            guard pages.isAtEnd else { return try await load(until: isEnough) }
            return .unchanged(ageSeconds: age, cursor: cursor)
        }
        let value = try Self.join([Self.decode(first)])
        let subject = try subject(of: first)
        if pages.isAtEnd {
            let validators = Validators(first)?.description
            return .value(value, validators: validators, ageSeconds: age, cursor: cursor)
        }
        if isEnough(value) { return .value(value, validators: nil, ageSeconds: age) }
        let (list, oldest) = try await loadRest(&pages, after: value, subject, age, until: isEnough)
        return .value(list, validators: nil, ageSeconds: oldest, cursor: cursor)
    }

    private func loadRest(
        _ pages: inout ListPages,
        after first: Codec.Model,
        _ subject: String?,
        _ ageSeconds: Int64,
        until isEnough: (Codec.Model) -> Bool
    ) async throws(Failure) -> (list: Codec.Model, ageSeconds: Int64) {
        var (values, age) = ([first], ageSeconds)
        let start = ContinuousClock.now
        var pageStart = start
        while let response = try await pages.next() {
            let value = try Self.decode(response)
            guard try self.subject(of: response) == subject else {
                throw .invalidData(reason: "the pages of the list belong to different callers")
            }
            values.append(value)
            age = max(age, try self.age(of: response, since: pageStart))
            pageStart = .now
            if isEnough(value) { break }
        }
        // The list is as old as its oldest page.
        age += start.duration(to: .now).components.seconds
        return (try Self.join(values), age)
    }

    /// Joins pages, in which each element then occurs once.
    private static func join(_ pages: [Codec.Model]) throws(Failure) -> Codec.Model {
        do {
            return try Codec.join(pages)
        } catch {
            throw .invalidData(reason: "the pages of the list cannot be joined: \(error)")
        }
    }

    /// How many seconds ago the server sent a page that was requested at `start`. Throws if a cache
    /// sent it, although none should have answered. Then `Date` does not count, because it would only
    /// show that the clocks differ.
    private func age(
        of page: HTTPResponse,
        since start: ContinuousClock.Instant
    ) throws(Failure) -> Int64 {
        let delay = start.duration(to: .now)
        guard case .direct = freshness else {
            return Int64(page.initialAge(now: SystemRetryClock().date, sinceRequest: delay))
        }
        guard page.age ?? 0 == 0 else {
            throw .unavailable(reason: "a cache between here and the server sent an old list")
        }
        return delay.components.seconds
    }

    private func pages(unlessMatching validators: String?) throws(Failure) -> ListPages {
        guard let url else { throw .notConfigured }
        var request = HTTPRequest(method: .get, url: url, headers: ["Accept": "application/json"])
        validators.flatMap(Validators.init)?.apply(to: &request)
        var bypass: CacheBypass?
        switch freshness {
        case .cacheable: break
        case .cacheableUntilChanged(let changes):
            let count = changes.value
            if count > 0 { bypass = request.bypassCaches(after: count) }
        case .personal(let changes):
            bypass = request.bypassCaches(after: changes.value)
            request.staysOnOrigin = true
        case .direct:
            request.headers["Cache-Control"] = "no-cache"
            bypass = .unique()
        }
        return ListPages(request, bypass: bypass, client: client, limits: limits)
    }

    /// The subject that a page of a personal list states, which is remembered for the present
    /// credentials.
    private func subject(of page: HTTPResponse) throws(Failure) -> String? {
        guard let subjects else { return nil }
        var subject: String?
        if page.body.firstRange(of: Array("\"subject\"".utf8)) != nil {
            do {
                let limits = JSONLimits(maximumBytes: page.body.count)
                let object = try JSONDocument(parsing: page.body, limits: limits).root.object()
                subject = try? object.optional("subject")?.string()
            } catch {
                throw Failure(unreadable: page, because: error)
            }
        }
        subjects.record(subject)
        return subject
    }

    private static func decode(_ response: HTTPResponse) throws(Failure) -> Codec.Model {
        do {
            let limits = JSONLimits(maximumBytes: response.body.count)
            return try Codec.decode(response.body, limits: limits)
        } catch {
            throw Failure(unreadable: response, because: error)
        }
    }
}

extension HTTPResource.Freshness {
    /// The client with which equal requests share a response, unless each needs its own.
    fileprivate func sharing(_ client: any HTTPClient) -> any HTTPClient {
        switch self {
        case .cacheable: CoalescingHTTPClient(client)
        case .cacheableUntilChanged(let changes), .personal(let changes):
            CoalescingHTTPClient(client) { changes.value }
        case .direct: client
        }
    }
}

extension HTTPRequest {
    /// Lets no cache answer with a response from before the change with this number.
    fileprivate mutating func bypassCaches(after count: UInt64) -> CacheBypass? {
        headers["Cache-Control"] = "no-cache"
        return .afterChanges(count)
    }
}

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

/// A query parameter that makes a URL unique, so that no shared cache can answer, not even one that
/// ignores `Cache-Control: no-cache` in requests.
struct CacheBypass {
    private static let process = Identifier.random().description

    private let parameter: (name: String, value: String)

    private init(_ value: String) { parameter = ("fresh", value) }

    /// Makes a URL differ from those of all other requests. The pages of one list share the parameter.
    static func unique() -> CacheBypass { CacheBypass(Identifier.random().description) }

    /// Makes URLs differ after each counted change, whichever process sent it; nil before the first.
    static func afterChanges(_ count: UInt64) -> CacheBypass? {
        count == 0 ? nil : CacheBypass("\(process)-\(count)")
    }

    /// Adds the parameter to `url`.
    func adding(to url: String) -> String { EndpointURL(url).adding([parameter]).text }

    /// Removes the parameter from a URL that the server derived from the request's URL.
    func removing(from url: String) -> String { EndpointURL(url).removing(parameter).text }

    /// Whether `url` has the parameter. A redirect may have removed it.
    func isPart(of url: String) -> Bool { removing(from: url) != EndpointURL(url).text }

    /// Whether the server may have rejected the parameter, so that the request must be repeated
    /// without it.
    static func mayBeRejected(_ response: HTTPResponse) -> Bool {
        [400, 404, 414, 422].contains(response.status)
    }
}
