public import NovaBlendAccounts
public import SystemSupport

/// The configuration of the program.
public struct Configuration: Sendable, Hashable {
    /// The URLs of the server.
    public var endpoints: Endpoints
    /// The directory of the cache, absolute.
    public var cacheDirectory: String
    /// The directory of the journal, absolute.
    public var stateDirectory: String
    /// Whether methods that change something are rejected.
    public var isReadOnly: Bool
    /// A file of certificates (PEM) to trust instead of the system's.
    public var certificateFile: String?
    /// A directory of certificates to trust instead of the system's, prepared by `openssl rehash`.
    public var certificateDirectory: String?
    /// The proxy for requests.
    public var proxy = Proxy.none
    /// How the program authenticates.
    public var credentials = Credentials()
    /// The maximum size of a list from the server, in bytes; 64 MiB by default. It does not apply
    /// to cached lists.
    public var maximumResponseBytes = 64 << 20
    /// The maximum size of the cached lists that remain in memory, in bytes; 64 MiB by default.
    public var maximumListMemory = 64 << 20

    /// The files from which settings and secrets were read. No output may replace them.
    public var settingsFiles: [String] = []

    /// The name of the profile. Together with the appointments URL it determines the account.
    public var profile = "default"
    /// How long a load waits for the server before it returns a fresh cached list instead; zero for
    /// no limit.
    public var softDeadline = Duration.seconds(2)
    /// How long a call may take without progress, with all its requests; 20 seconds by default.
    public var callTimeout = Duration.seconds(20)

    /// The kinds of proxy settings.
    public enum Proxy: Sendable, Hashable {
        /// No proxy. The environment is ignored.
        case none
        /// The proxy from `http_proxy`, `https_proxy`, `all_proxy`, and `no_proxy`.
        case environment
        /// The proxy at this URL.
        case url(String)
    }

    /// Creates a configuration.
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
    /// The files that no output of the program may replace or change: the cached lists and journals of
    /// all accounts, and ``settingsFiles``.
    public var ownFiles: ProtectedFiles {
        ProtectedFiles(
            files: settingsFiles,
            directories: [cacheDirectory, stateDirectory].map { "\($0)/\(Account.parent)" }
        )
    }

    /// The account whose data this configuration uses.
    public var account: Account {
        Account(profile: profile, appointmentsURL: endpoints.appointments)
    }
}
