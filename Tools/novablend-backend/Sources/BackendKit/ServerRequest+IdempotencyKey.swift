import HTTPServing

extension ServerRequest {
    /// The key that a client repeats when it repeats the request.
    var idempotencyKey: String? { headers["Idempotency-Key"] }
}
