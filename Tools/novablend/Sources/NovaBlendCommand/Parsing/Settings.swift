import JSONRPC
import NovaBlendAccounts
import NovaBlendConfiguration
import NovaBlendMethods

/// What the command line, the environment, and the configuration file say together: the command
/// line wins, then the environment.
struct Settings: Sendable {
    private let values: [String: String]
    private let profile: String
    private let credentials: Credentials

    /// Throws `usage` or `configuration` when they contradict themselves.
    init(
        _ invocation: Invocation,
        file: ConfigurationFile,
        environment: Environment = .none
    ) throws(CommandFailure) {
        profile =
            invocation.option("profile") ?? environment.profile ?? ConfigurationFile.defaultProfile
        let typed = Option.configurable.compactMap { option in
            invocation.option(option.name).map { (option.name, $0) }
        }
        let given = Dictionary(typed) { $1 }
        var kept = Self.usable(try file.values(of: profile), beside: given)
        // Who asks for a different server does not mean parts of the one in the file.
        if given["sandbox"] != nil {
            for name in kept.keys where name.hasSuffix("-url") { kept[name] = nil }
        }
        if given["base-url"] != nil { kept["sandbox"] = nil }
        values = kept.merging(given) { $1 }
        if values["sandbox"] != nil, values["base-url"] != nil {
            throw CommandFailure(
                given["sandbox"] != nil ? .usage : .configuration,
                "--sandbox and --base-url exclude each other"
            )
        }
        try Self.checkURLs(values)
        credentials = try Self.credentials(values, typed: given, environment: environment)
    }

    var isSandbox: Bool { values["sandbox"] != nil }
    var traceFile: String? { values["trace"] }
    var framing: FramingMode { values["framing"].flatMap(FramingMode.init) ?? .auto }

    var limits: RPCLimits {
        var limits = RPCLimits()
        if let bytes = values["max-message"].flatMap({ Int($0) }) {
            limits.maximumMessageBytes = bytes
        }
        return limits
    }

    /// The profile of every sandbox: what a profile's own server has is not in it.
    private static let sandboxProfile = "sandbox"

    /// The configuration that was asked for, with credentials that can be read.
    func checkedConfiguration(sandbox: Sandbox?) throws(CommandFailure) -> Configuration {
        let configuration = try configuration(sandbox: sandbox)
        do throws(CredentialError) {
            try configuration.credentials.check()
        } catch {
            throw Self.wrong(error.description, try: error.advice)
        }
        return configuration
    }

    /// The configuration that was asked for; directories in `sandbox` unless others were named.
    func configuration(sandbox: Sandbox?) throws(CommandFailure) -> Configuration {
        let cache =
            values["cache-dir"] ?? sandbox.map { $0.directory + "/cache" }
            ?? Directories.xdg("XDG_CACHE_HOME", ".cache")
        let state =
            values["state-dir"] ?? sandbox.map { $0.directory + "/state" }
            ?? Directories.xdg("XDG_STATE_HOME", ".local/state")
        guard let cache, let state else {
            throw .usage("HOME is not set; name --cache-dir and --state-dir")
        }
        var configuration = Configuration(
            endpoints: endpoints(sandbox),
            cacheDirectory: cache,
            stateDirectory: state,
            isReadOnly: values["read-only"] != nil,
            certificateFile: values["ca-file"]
        )
        configuration.profile = isSandbox ? Self.sandboxProfile : profile
        configuration.credentials = credentials
        configuration.certificateDirectory = values["ca-directory"]
        switch values["proxy"] {
        case nil: break
        case "environment": configuration.proxy = .environment
        case .some(let url): configuration.proxy = .url(url)
        }
        if let bytes = values["max-answer"].flatMap({ Int($0) }) {
            configuration.maximumAnswerBytes = bytes
        }
        if let seconds = values["soft-deadline"].flatMap({ Double($0) }) {
            configuration.softDeadlineMilliseconds = Int((seconds * 1_000).rounded())
        }
        try Self.checkConfidentiality(of: configuration)
        return configuration
    }

    private func endpoints(_ sandbox: Sandbox?) -> Endpoints {
        var endpoints =
            (sandbox?.baseURL ?? values["base-url"]).map(Endpoints.init(base:))
            ?? Endpoints()
        if let url = values["salons-url"] { endpoints.salons = url }
        if let url = values["appointments-url"] { endpoints.appointments = url }
        if let url = values["availability-url"] { endpoints.availability = url }
        for list in ListedResource.all {
            if let url = values["\(list.name)-url"] { endpoints.lists[list.name] = url }
        }
        return endpoints
    }
}
