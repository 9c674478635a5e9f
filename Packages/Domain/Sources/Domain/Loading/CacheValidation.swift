/// The result of validating a cache.
public enum CacheValidation: String, Sendable, CaseIterable {
    /// Nothing is cached.
    case empty
    /// The cached value is fresh and was not deleted.
    case valid
    /// The cached value had expired and was deleted.
    case deletedExpired
    /// The cached value could not be read and was deleted.
    case deletedUnreadable
    /// The cached value has expired. It was not deleted, because this was a dry run.
    case wouldDeleteExpired
    /// The cached value cannot be read. It was not deleted, because this was a dry run.
    case wouldDeleteUnreadable
}
