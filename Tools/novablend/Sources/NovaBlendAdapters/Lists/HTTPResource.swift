package import Contract
package import Domain
import JSON
package import Networking

/// A resource at a URL, decoded by its codec.
package struct HTTPResource<Codec: ModelCodec>: ResourceAPI {
    let url: String?
    let client: any HTTPClient
    /// Counts the changes that this program makes to the resource; nil if it makes none. With a
    /// counter, no cache answers, and a request does not share the response to one from before a
    /// change.
    var changes: (any ChangeCounter)?

    package init(url: String?, client: any HTTPClient, changes: (any ChangeCounter)? = nil) {
        self.url = url
        self.client = client
        self.changes = changes
    }

    package func load(
        unlessMatching validators: String?
    ) async throws(ServerError) -> ResourceResponse<Codec.Model> {
        guard let url else { throw .notConfigured }
        var request = HTTPRequest(.get, url, headers: ["Accept": "application/json"])
        validators.flatMap(Validators.init)?.apply(to: &request)
        if let count = changes?.value {
            request.headers["Cache-Control"] = "no-cache"
            request.coalescing = .allowed(generation: count)
            request.url = CacheBypass.url(url, afterChanges: count)
        }
        var response: HTTPResponse
        do throws(HTTPClientError) {
            response = try await client.send(request)
            if request.url != url, CacheBypass.mayBeRejected(response) {
                request.url = url
                response = try await client.send(request)
            }
        } catch {
            throw ServerError(error, ifTooLarge: ListSizeLimit.remedy)
        }
        let age = Int64(response.age ?? 0)
        if response.status == 304, validators != nil { return .unchanged(ageSeconds: age) }
        guard response.status == 200 else { throw ServerError(unexpected: response) }
        do throws(JSONError) {
            let limits = JSONLimits(maximumBytes: response.body.count)
            let value = try Codec.decode(response.body, limits: limits)
            let validators = Validators(response)?.description
            return .value(value, validators: validators, ageSeconds: age)
        } catch {
            throw ServerError(unreadable: response, because: error)
        }
    }

    /// Downloads the current value.
    package func load() async throws(ServerError) -> (value: Codec.Model, ageSeconds: Int64) {
        guard case .value(let value, _, let age) = try await load(unlessMatching: nil) else {
            throw .invalidData(reason: "the server returned 304 to an unconditional request")
        }
        return (value, age)
    }
}
