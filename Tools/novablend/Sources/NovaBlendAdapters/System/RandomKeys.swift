import Domain

/// Generates random UUIDs as idempotency keys.
package struct RandomKeys: IdempotencyKeySource {
    package init() {}

    package func makeKey() -> String { Identifier.random().description }
}
