/// Why a load failed.
public enum LoadError: Error, Sendable, Hashable {
    /// The server did not send a value, and no cached value may be returned.
    case server(ServerError)
    /// The server was not reached or not asked, and the cache could not be read.
    case cache(CacheError)
}
