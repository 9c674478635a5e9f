/// What validating a cache found, and so did.
public enum CacheValidation: String, Sendable, CaseIterable {
    /// Nothing is kept.
    case empty
    /// What is kept is fresh and was left alone.
    case valid
    /// What was kept had expired and was deleted.
    case deletedExpired
    /// What was kept could not be read and was deleted.
    case deletedUnreadable

    /// Whether that is a reason to delete.
    var deletes: Bool { self == .deletedExpired || self == .deletedUnreadable }
}
