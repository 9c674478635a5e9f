extension CachePolicy {
    private static let day: Int64 = 86_400

    /// Salons (seed 000): a week, then nothing.
    public static let salons = CachePolicy(
        maximumAge: 7 * day,
        whenExpired: .nothing,
        deletesExpired: true,
        whenEmpty: .nothing,
        whenUnreadable: .retrievalError
    )

    /// Appointments (seed 000): what was booked stays visible however old.
    public static let appointments = CachePolicy(
        maximumAge: nil,
        whenExpired: .nothing,
        deletesExpired: false,
        whenEmpty: .nothing,
        whenUnreadable: .retrievalError
    )
}
