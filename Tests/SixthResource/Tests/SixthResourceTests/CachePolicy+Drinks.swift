import Domain

/// Step 2: the cache policy.
extension CachePolicy {
    static let drinks = CachePolicy(
        maximumAge: 86_400,
        whenExpired: .connectivityError,
        deletesExpired: true,
        whenEmpty: .emptyValue,
        whenUnreadable: .retrievalError
    )
}
