import Contract
import Domain
import JSON
import Networking

/// A resource at a URL, read by its codec.
struct HTTPResource<Codec: ModelCodec>: ResourceRemote {
    let url: String?
    let client: any HTTPClient

    func load(
        unlessMatching validators: String?
    ) async throws(RemoteError) -> RemoteAnswer<Codec.Model> {
        guard let url else { throw .notConfigured }
        var request = HTTPRequest(.get, url, headers: ["Accept": "application/json"])
        validators.flatMap(Validators.init)?.apply(to: &request)
        let response: HTTPResponse
        do throws(HTTPClientError) {
            response = try await client.send(request)
        } catch {
            throw RemoteError(error, ifTooLarge: AnswerBounds.remedy)
        }
        if response.status == 304, validators != nil { return .unchanged }
        guard response.status == 200 else { throw RemoteError(unexpected: response) }
        do throws(JSONError) {
            let value = try Codec.decode(response.body, limits: .bounded(response.body))
            return .value(value, validators: Validators(response)?.description)
        } catch {
            throw .invalidData(reason: "the answer of \(url) breaks the contract: \(error)")
        }
    }

    /// The newest value, whatever is known.
    func load() async throws(RemoteError) -> Codec.Model {
        guard case .value(let value, _) = try await load(unlessMatching: nil) else {
            throw .invalidData(reason: "the remote knows no change from nothing")
        }
        return value
    }
}
