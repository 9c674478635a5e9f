import BookingStorage
import HTTPServing

extension Routes {
    private static let keys = "/idempotency-keys/"

    /// Voids a key. The key is the rest of the path and may contain slashes.
    func voidKey(_ request: ServerRequest) async throws -> ServerResponse {
        let key = String(request.path.dropFirst(Self.keys.count))
        guard request.path.hasPrefix(Self.keys), !key.isEmpty else {
            throw Self.notFound(request.path)
        }
        return try await only(["DELETE"], request) {
            try check(key)
            try await store.void(IdempotencyKey(key), in: nil)
            return ServerResponse(status: 204, headers: [:])
        }
    }
}
