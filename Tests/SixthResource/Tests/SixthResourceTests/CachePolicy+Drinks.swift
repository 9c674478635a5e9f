import Domain

/// Step 2: its row in the table of policies.
extension CachePolicy {
    static let drinks = CachePolicy(
        maximumAge: 86_400,
        whenExpired: .connectivityError,
        deletesExpired: true,
        whenEmpty: .emptyValue,
        whenUnreadable: .retrievalError
    )
}
