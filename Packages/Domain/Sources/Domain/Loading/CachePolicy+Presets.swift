extension CachePolicy {
    private static let day: Int64 = 86_400

    /// Salons (seed 000): a week, then nothing.
    public static let salons = CachePolicy(
        maximumAge: 7 * day,
        whenExpired: .emptyValue,
        deletesExpired: true,
        whenEmpty: .emptyValue,
        whenUnreadable: .retrievalError
    )

    /// Appointments (seed 000): what was booked stays visible however old.
    public static let appointments = CachePolicy(
        maximumAge: nil,
        whenExpired: .emptyValue,
        deletesExpired: false,
        whenEmpty: .emptyValue,
        whenUnreadable: .retrievalError
    )

    /// The image feed (seeds 001 and 002): a week, then an error.
    public static let feed = CachePolicy(
        maximumAge: 7 * day,
        whenExpired: .connectivityError,
        deletesExpired: false,
        whenEmpty: .connectivityError,
        whenUnreadable: .retrievalError
    )

    /// Movies (seed 003): a week, then an error; what cannot be shown is deleted.
    public static let movies = CachePolicy(
        maximumAge: 7 * day,
        whenExpired: .connectivityError,
        deletesExpired: true,
        whenEmpty: .emptyValue,
        whenUnreadable: .retrievalErrorAndDelete
    )

    /// The menu (seed 004): two weeks, then an error.
    public static let menu = CachePolicy(
        maximumAge: 14 * day,
        whenExpired: .connectivityError,
        deletesExpired: true,
        whenEmpty: .connectivityError,
        whenUnreadable: .retrievalError
    )

    /// The data of an image (seeds 001 and 004): what a URL gave once is shown for good.
    public static let imageData = CachePolicy(
        maximumAge: nil,
        whenExpired: .connectivityError,
        deletesExpired: false,
        whenEmpty: .connectivityError,
        whenUnreadable: .treatedAsEmpty
    )
}
