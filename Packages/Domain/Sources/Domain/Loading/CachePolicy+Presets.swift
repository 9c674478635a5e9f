extension CachePolicy {
    private static let day: Int64 = 86_400

    /// Salons (seed 000): fresh for a week, then an empty list. An expired list is deleted.
    public static let salons = CachePolicy(
        maximumAge: 7 * day,
        whenExpired: .emptyValue,
        deletesExpired: true,
        whenEmpty: .emptyValue,
        whenUnreadable: .retrievalError
    )

    /// Appointments (seed 000): never expire.
    public static let appointments = CachePolicy(
        maximumAge: nil,
        whenExpired: .emptyValue,
        deletesExpired: false,
        whenEmpty: .emptyValue,
        whenUnreadable: .retrievalError
    )

    /// The image feed (seeds 001 and 002): fresh for a week, then an error.
    public static let feed = CachePolicy(
        maximumAge: 7 * day,
        whenExpired: .connectivityError,
        deletesExpired: false,
        whenEmpty: .connectivityError,
        whenUnreadable: .retrievalError
    )

    /// Movies (seed 003): fresh for a week, then an error. An expired or unreadable list is
    /// deleted.
    public static let movies = CachePolicy(
        maximumAge: 7 * day,
        whenExpired: .connectivityError,
        deletesExpired: true,
        whenEmpty: .emptyValue,
        whenUnreadable: .retrievalErrorAndDelete
    )

    /// The menu (seed 004): fresh for two weeks, then an error. An expired menu is deleted.
    public static let menu = CachePolicy(
        maximumAge: 14 * day,
        whenExpired: .connectivityError,
        deletesExpired: true,
        whenEmpty: .connectivityError,
        whenUnreadable: .retrievalError
    )

    /// Image data (seeds 001 and 004): never expires.
    public static let imageData = CachePolicy(
        maximumAge: nil,
        whenExpired: .connectivityError,
        deletesExpired: false,
        whenEmpty: .connectivityError,
        whenUnreadable: .treatedAsEmpty
    )
}
