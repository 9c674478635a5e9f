extension CachePolicy {
    private static let day: Int64 = 86_400

    /// Salons. A list expires after a week. Without a connection, an expired list is deleted,
    /// and the result is an empty list.
    public static let salons = CachePolicy(
        maximumAge: 7 * day,
        whenExpired: .emptyValue,
        deletesExpired: true,
        whenEmpty: .emptyValue,
        whenUnreadable: .retrievalError
    )

    /// Appointments. A list never expires.
    public static let appointments = CachePolicy(
        maximumAge: nil,
        whenExpired: .emptyValue,
        deletesExpired: false,
        whenEmpty: .emptyValue,
        whenUnreadable: .retrievalError
    )

    /// The image feed. It expires after a week. Without a connection, the result is then
    /// an error.
    public static let feed = CachePolicy(
        maximumAge: 7 * day,
        whenExpired: .connectivityError,
        deletesExpired: false,
        whenEmpty: .connectivityError,
        whenUnreadable: .retrievalError
    )

    /// Movies. A list expires after a week. Without a connection, an expired or unreadable
    /// list is deleted, and the result is an error.
    public static let movies = CachePolicy(
        maximumAge: 7 * day,
        whenExpired: .connectivityError,
        deletesExpired: true,
        whenEmpty: .emptyValue,
        whenUnreadable: .retrievalErrorAndDelete
    )

    /// The menu. It expires after two weeks. Without a connection, an expired menu is deleted,
    /// and the result is an error.
    public static let menu = CachePolicy(
        maximumAge: 14 * day,
        whenExpired: .connectivityError,
        deletesExpired: true,
        whenEmpty: .connectivityError,
        whenUnreadable: .retrievalError
    )

    /// Image data. It never expires.
    public static let imageData = CachePolicy(
        maximumAge: nil,
        whenExpired: .connectivityError,
        deletesExpired: false,
        whenEmpty: .connectivityError,
        whenUnreadable: .treatedAsEmpty
    )
}
