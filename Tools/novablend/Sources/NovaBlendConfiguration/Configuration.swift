/// What a composition is made from.
public struct Configuration: Sendable, Hashable {
    /// Where resources are, beside those below the base URL.
    public struct Endpoints: Sendable, Hashable {
        /// Where salons are listed.
        public var salons: String?
        /// Where appointments are listed and booked.
        public var appointments: String?
        /// Where a salon's slots are, with `{id}` for the salon; nil when nobody offers them.
        public var availability: String?
        /// Where the other lists are, by the names of their resources.
        public var lists: [String: String] = [:]
        private var base: EndpointURL?

        /// Makes endpoints with nothing set.
        public init() {}

        /// The default paths below `base`, each with the query of `base`.
        public init(base: String) {
            let base = EndpointURL(base)
            self.base = base
            salons = base.appending(path: "salons").text
            appointments = base.appending(path: "appointments").text
            availability = base.appending(path: "salons/{id}/availability").text
        }

        /// The servers of all of these.
        var origins: Set<Origin> {
            Set(all.compactMap(Origin.init))
        }

        /// All URLs that are configured.
        public var all: [String] {
            [base?.text, salons, appointments, availability].compactMap(\.self) + lists.values
        }

        /// The URL of the list `name`; nil if none is configured.
        func url(of name: String) -> String? {
            lists[name] ?? base?.appending(path: name).text
        }
    }

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
