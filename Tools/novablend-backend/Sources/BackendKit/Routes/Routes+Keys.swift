import BookingStorage
import Contract
import Domain
import HTTPServing

extension Routes {
    static let keys = [
        Route(
            method: "DELETE",
            // A key may contain slashes.
            path: PathTemplate("/idempotency-keys/{key}", isRestOfPath: true),
            name: "voidIdempotencyKey",
            summary: "Voids a key, so that later requests with it fail.",
            parameters: [
                .init("key", in: .path, Route.Parameter.idempotencyKeySchema, "The key."),
                .init(
                    "salonId",
                    in: .query,
                    SalonIDCodec.schema,
                    "The salon whose key is voided. By default, the key is voided in all."
                ),
            ],
            successes: [Route.Success(status: 204, summary: "The key is voided.")],
            problems: [.keyUsed, .invalidKey, .storage, .storageFull],
            handler: { routes, call in
                let key = try call.idempotencyKey(call.pathValue)
                let requirement = "must be the id of a salon"
                let salon = try call.request.parameter("salonId", .invalidKey, requirement) {
                    SalonID($0)
                }
                try await routes.store.void(key, in: salon, by: call.principal)
                return ServerResponse(status: 204, headers: [:])
            }
        )
    ]
}

extension IdempotencyKey {
    /// Creates a key from a request. Throws `invalidKey`.
    init(validating text: String) throws(Problem) {
        do { try BookingRules.check(key: text) } catch {
            throw Problem(.invalidKey, Problem(error).message)
        }
        self.init(text)
    }
}
