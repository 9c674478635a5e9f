/// What validating a cache found and did.
public enum CacheValidation: String, Sendable, CaseIterable {
    /// Nothing is cached.
    case empty
    /// The cached value is fresh and was left alone.
    case valid
    /// The cached value had expired and was deleted.
    case deletedExpired
    /// The cached value could not be read and was deleted.
    case deletedUnreadable
    /// The cached value has expired; a dry run left it alone.
    case wouldDeleteExpired
    /// The cached value cannot be read; a dry run left it alone.
    case wouldDeleteUnreadable
}
