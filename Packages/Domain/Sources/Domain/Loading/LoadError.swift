/// Why a load failed.
public enum LoadError: Error, Sendable, Hashable {
    /// The server did not deliver a value, and the cache may not replace it.
    case server(ServerError)
    /// The server could not be reached, and the cache could not be read.
    case cache(CacheError)
}
