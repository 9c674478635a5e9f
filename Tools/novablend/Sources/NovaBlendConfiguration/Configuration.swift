public import NovaBlendAccounts

/// What a composition is made from.
public struct Configuration: Sendable, Hashable {
    /// Where the remote is.
    public var endpoints: Endpoints
    /// The directory of the cache, absolute.
    public var cacheDirectory: String
    /// The directory of the journal, absolute.
    public var stateDirectory: String
    /// Whether methods that change something are refused.
    public var isReadOnly: Bool
    /// A file of certificates to trust, in PEM, in place of the system's.
    public var certificateFile: String?
    /// A directory of certificates to trust, as `openssl rehash` prepares it, in place of the
    /// system's.
    public var certificateDirectory: String?
    /// Through which proxy requests go.
    public var proxy = Proxy.none
    /// What proves to the server who asks.
    public var credentials = Credentials() {
        didSet { credentialSource = credentials.source }
    }
    /// The longest answer of a remote that is taken, in bytes: 64 MiB unless said otherwise. What
    /// is kept was such an answer once, and is shown whatever stands here now.
    public var maximumAnswerBytes = 64 << 20

    /// The name of the profile; together with the appointments URL it names the account.
    public var profile = "default"
    /// Where the credentials come from, in words that reveal nothing: `none`, `token-file PATH`, and
    /// so on. An intent records it as its caller when the server names no subject.
    public var credentialSource = "none"
    /// After how many milliseconds without an answer a fresh cached list is returned instead.
    public var softDeadlineMilliseconds = 2_000

    /// Through which proxy requests go.
    public enum Proxy: Sendable, Hashable {
        /// Through none, whatever the environment says.
        case none
        /// Through the one that `http_proxy`, `https_proxy`, `all_proxy`, and `no_proxy` name.
        case environment
        /// Through the one at this URL.
        case url(String)
    }

    /// Makes a configuration.
    public init(
        endpoints: Endpoints,
        cacheDirectory: String,
        stateDirectory: String,
        isReadOnly: Bool = false,
        certificateFile: String? = nil
    ) {
        self.endpoints = endpoints
        self.cacheDirectory = cacheDirectory
        self.stateDirectory = stateDirectory
        self.isReadOnly = isReadOnly
        self.certificateFile = certificateFile
    }
}

extension Configuration {
    /// Whose data this configuration uses.
    public var account: Account {
        Account(profile: profile, appointmentsURL: endpoints.appointments)
    }
}
