/// Why a load delivered nothing.
public enum LoadError: Error, Sendable, Hashable {
    /// The remote could not deliver, and nothing that was kept may stand in.
    case remote(RemoteError)
    /// The remote could not be reached, and what was kept could not be read.
    case cache(CacheError)
}
