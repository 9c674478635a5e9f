import BookingStorage
import HTTPServing

extension ServerRequest {
    /// The key that a client repeats when it repeats the request.
    var idempotencyKey: String? { headers["Idempotency-Key"] }

    /// What identifies the request if it is repeated; nil if it has no key.
    var keyedRequest: KeyedRequest? {
        idempotencyKey.map { key in
            KeyedRequest(key: IdempotencyKey(key), method: method, path: path, body: body)
        }
    }
}
