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
                Route.Parameter(
                    name: "key",
                    location: .path,
                    summary: "The key.",
                    isRequired: true,
                    schema: Route.Parameter.idempotencyKeySchema
                ),
                Route.Parameter(
                    name: "salonId",
                    location: .query,
                    summary: "The salon whose key is voided. By default, the key is voided in all.",
                    schema: SalonIDCodec.schema
                ),
            ],
            successes: [Route.Success(status: 204, summary: "The key is voided.")],
            problems: [.keyUsed, .invalidKey, .storage, .storageFull],
            handler: { routes, call in
                let (key, salon) = (
                    try call.idempotencyKey(call.pathValue), try call.salonIDInQuery()
                )
                try await routes.store.void(key, in: salon, by: call.principal)
                return ServerResponse(status: 204, headers: [:])
            }
        )
    ]
}

extension RouteCall {
    fileprivate func salonIDInQuery() throws(Problem) -> SalonID? {
        guard let text = request.query["salonId"] else { return nil }
        guard let id = SalonID(text) else {
            throw Problem(.invalidKey, "salonId must be the id of a salon")
        }
        return id
    }
}

extension IdempotencyKey {
    /// Creates a key from a request. Throws `invalidKey`.
    init(validating text: String) throws(Problem) {
        do throws(BookingError) {
            try BookingRules.check(key: text)
        } catch .invalidRequest(let field, let reason) {
            throw Problem(.invalidKey, "\(field) \(reason)")
        } catch {
            throw Problem(.invalidKey, "\(error)")
        }
        self.init(text)
    }
}
