package import Domain
package import Networking
import NovaBlendAccounts

/// Requests the pages of a list one after another, by following the links to the next page.
struct ListPages {
    private let client: any HTTPClient
    private let limits: ListLimits
    private let listURL: String
    /// The statuses that are not errors, but end the list.
    private let finalStatuses: Set<Int>
    private let start = ContinuousClock.now
    /// The next request. Its URL lacks the parameter of `bypass`.
    private var request: HTTPRequest
    private var bypass: CacheBypass?
    private var requested: Set<String> = []
    private var receivedBytes = 0
    /// Whether a response has arrived, so that a failure of a later request is no missing connectivity.
    private var hasResponse = false

    /// Whether all pages have been received.
    private(set) var isAtEnd = false
    /// Whether no cache can have sent any of the pages, and every link could be read. A page with
    /// `Age: 0` counts as sent by the server, because proxies that forward a response may add it.
    private(set) var isReliable = true
    /// Whether a page has an `Age`. With `Age: 0`, it may be up to a second older than its request.
    private(set) var mayPrecedeRequest = false

    /// Creates the pages of a list. `request` requests the first page. Its conditional headers
    /// apply only to that page. A response with a status in `finalStatuses` is not an error, but
    /// ends the list.
    init(
        _ request: HTTPRequest,
        bypass: CacheBypass?,
        client: any HTTPClient,
        limits: ListLimits,
        finalStatuses: Set<Int> = []
    ) {
        (self.request, self.bypass, self.client) = (request, bypass, client)
        (self.limits, listURL, self.finalStatuses) = (limits, request.url, finalStatuses)
    }

    /// Requests the next page; nil after the last one. The response has the status 200, or 304 if
    /// the request was conditional, or one of the `finalStatuses`.
    mutating func next() async throws(Failure) -> HTTPResponse? {
        if isAtEnd { return nil }
        try checkLimits()
        let response = try await sendWithBypass()
        if finalStatuses.contains(response.status) {
            isAtEnd = true
            return response
        }
        guard response.status == 200 || (response.status == 304 && request.isConditional) else {
            throw Failure(unexpected: response)
        }
        receivedBytes += response.body.count
        if HTTPLinks(response.headers).areMalformed { isReliable = false }
        if response.headers["Age"] != nil {
            mayPrecedeRequest = true
            if response.age != 0 { isReliable = false }
        }
        if let next = try response.nextPage(of: listURL) {
            try follow(next, from: response)
        } else {
            isAtEnd = true
        }
        return response
    }

    private mutating func follow(
        _ next: String,
        from response: HTTPResponse
    ) throws(Failure) {
        // Normalize the URL with libcurl, so that it can be compared with the URL of the next page.
        let current = try? response.resolve(request.url)
        requested.insert(current ?? request.url)
        request.url = bypass?.removing(from: next) ?? next
        request.removeConditions()
        // The first page of a public list may be redirected to a different origin. A later page must
        // not be, because the pages must belong together.
        request.staysOnOrigin = true
        guard !requested.contains(request.url) else {
            throw .invalidData(
                reason: "the pages of \(URLParts.withoutSecrets(listURL)) form a loop"
            )
        }
    }

    /// Throws if the next page must not be requested.
    private func checkLimits() throws(Failure) {
        if Task.isCancelled { throw .cancelled }
        if receivedBytes >= limits.maximumBytes { throw tooLarge }
        let list = URLParts.withoutSecrets(listURL)
        if requested.count >= limits.maximumPages {
            throw .invalidData(reason: "\(list) has more than \(limits.maximumPages) pages")
        }
        if !requested.isEmpty, start.duration(to: .now) >= limits.totalTimeout {
            throw .unavailable(
                reason: "the pages of \(list) did not arrive within "
                    + "\(limits.totalTimeout.components.seconds) s"
            )
        }
    }

    /// If the server rejects the parameter of `bypass`, repeats the request without it. Then a cache
    /// may have sent the page, as well as after a redirect that removed the parameter.
    private mutating func sendWithBypass() async throws(Failure) -> HTTPResponse {
        if let bypass {
            let response = try await send(bypass.adding(to: request.url))
            guard CacheBypass.mayBeRejected(response) else {
                if !bypass.isPart(of: response.url) { isReliable = false }
                return response
            }
            self.bypass = nil
            isReliable = false
        }
        return try await send(request.url)
    }

    private mutating func send(_ url: String) async throws(Failure) -> HTTPResponse {
        var request = request
        request.url = url
        request.maximumResponseBytes = limits.maximumBytes - receivedBytes
        request.totalTimeout = limits.pageTimeout
        do {
            let response = try await client.send(request)
            hasResponse = true
            return response
        } catch {
            if case .bodyTooLarge = error.reason, !requested.isEmpty { throw tooLarge }
            var error = error
            error.hadContact = error.hadContact || hasResponse
            throw Failure(error, ifTooLarge: ListLimits.remedy)
        }
    }

    private var tooLarge: Failure {
        .invalidData(
            reason: "the pages of \(URLParts.withoutSecrets(listURL)) are longer than "
                + "\(limits.maximumBytes) bytes in total; \(ListLimits.remedy)"
        )
    }
}

extension HTTPRequest {
    private static let conditions = ["If-None-Match", "If-Modified-Since"]

    fileprivate var isConditional: Bool { Self.conditions.contains { headers[$0] != nil } }

    fileprivate mutating func removeConditions() {
        for name in Self.conditions { headers.remove(name) }
    }
}

/// The limits of a list, which a server may send in several pages.
package struct ListLimits: Sendable, Hashable {
    /// The maximum size of all pages together, in bytes.
    package var maximumBytes: Int
    /// The maximum number of pages. It ends a list whose next page always has a new URL.
    package var maximumPages = 10_000
    /// How long after the first request further pages are still requested.
    package var totalTimeout = Duration.seconds(300)
    /// The time for a page with all attempts.
    package var pageTimeout: Duration

    /// The time for a request that a booking waits for, with all attempts.
    static let promptTimeout = Duration.seconds(10)

    /// Creates the default limits with this maximum size. If that is more than a client's default,
    /// a page has proportionally more time.
    package init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
        let factor = Double(maximumBytes) / Double(HTTPLimits().maximumBodyBytes)
        pageTimeout = .seconds(30) * max(factor, 1)
    }

    /// Returns these limits with shorter timeouts, for a list that a booking waits for.
    package var prompt: ListLimits {
        var limits = self
        limits.pageTimeout = Self.promptTimeout
        return limits
    }

    /// The advice for a list that is too large.
    static let remedy = "--max-response BYTES allows more"
}

extension HTTPResponse {
    /// The URL of the page after this one (RFC 8288, relation `next`); nil if this is the last page
    /// of the list at `listURL`.
    ///
    /// Throws if it is not a valid URL or has a different origin than the list: no request is sent
    /// to an origin that is not configured.
    package func nextPage(of listURL: String) throws(Failure) -> String? {
        guard let target = HTTPLinks(headers).target("next") else { return nil }
        let list = URLParts.withoutSecrets(listURL)
        let next: String?
        do {
            next = try resolve(target)
        } catch {
            throw Failure(error)
        }
        guard let next, let origin = Origin(next) else {
            throw .invalidData(reason: "the next page of \(list) does not have a valid URL")
        }
        guard origin == Origin(listURL) else {
            throw .invalidData(
                reason: "the next page of \(list) has a different origin, \(origin), and was not "
                    + "requested"
            )
        }
        return next
    }
}
