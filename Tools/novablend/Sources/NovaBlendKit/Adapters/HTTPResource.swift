import Contract
import Domain
import JSON
import Networking

/// A resource at a URL, read by its codec.
struct HTTPResource<Codec: ModelCodec>: ResourceRemote {
    let url: String?
    let client: any HTTPClient

    func load() async throws(RemoteError) -> Codec.Model {
        guard let url else { throw .notConfigured }
        let request = HTTPRequest(.get, url, headers: ["Accept": "application/json"])
        let response: HTTPResponse
        do throws(HTTPClientError) {
            response = try await client.send(request)
        } catch {
            throw RemoteError(error)
        }
        guard response.status == 200 else { throw RemoteError(unexpected: response) }
        do throws(JSONError) {
            return try Codec.decode(response.body)
        } catch {
            throw .invalidData(reason: "the answer of \(url) breaks the contract: \(error)")
        }
    }
}
