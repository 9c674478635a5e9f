/// Why a load failed.
public enum LoadError: Error, Sendable, Hashable {
    /// The server did not send a value, and no cached value may be returned.
    case server(ServerError)
    /// The cache could not be read, and the server could not be reached or was not asked.
    case cache(CacheError)
}
