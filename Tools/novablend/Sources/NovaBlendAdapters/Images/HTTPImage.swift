package import Contract
package import Domain
import Networking
import NovaBlendAccounts

/// Downloads an image. Its bytes determine the format; the media type is ignored.
package struct HTTPImage: ResourceAPI {
    static let maximumBytes = 8 << 20

    let url: ImageURL
    /// The URL of the list that refers to the image; if it is nil, the image is not requested.
    let listURL: String?
    let client: any HTTPClient

    package func load(
        unlessMatching validators: String?
    ) async throws(Failure) -> ResourceResponse<ImageData> {
        guard let listURL else { throw .notConfigured }
        var request = HTTPRequest(
            method: .get,
            url: url.description,
            headers: ["Accept": Self.accepted]
        )
        request.maximumResponseBytes = Self.maximumBytes
        // A list can contain any URL, and must not give access to a private network.
        request.allowedDestinations = .publicAddresses(orOrigin: listURL)
        let validators = validators.flatMap(Validators.init)
        validators?.apply(to: &request)
        let response = try await client.response(to: request)
        if response.status == 304, validators != nil { return .unchanged() }
        guard response.status == 200 else { throw Failure(unexpected: response) }
        guard let image = ImageData(response.body) else {
            let shown = URLParts.withoutSecrets(url.description)
            throw .invalidData(reason: "\(shown) is not an image in a known format")
        }
        return .value(image, validators: Validators(response)?.description)
    }

    private static let accepted = ImageFormat.allCases.map(\.mediaType).joined(separator: ", ")
}
