import CommandLineKit
import Glibc
import JSONRPC
import MCP
import NovaBlendAccounts
import NovaBlendConfiguration
import NovaBlendEngine
import NovaBlendMethods
import SystemSupport

/// The settings of the command line, the environment, and the configuration file. The command line
/// takes precedence, then the environment.
struct Settings: Sendable {
    private static let programName = "novablend"

    private let values: [String: String]
    /// The names of those in the command line.
    private let typedNames: Set<String>
    private let profile: String
    private let credentials: Credentials

    /// Reads the settings of a command. Throws `usage` or `configuration`.
    static func load(_ invocation: Invocation) throws(CommandError) -> Settings {
        let file = try ConfigurationFile.load(
            invocation.option("config"),
            defaultPath: BaseDirectory.config.path(for: programName).map { $0 + "/config" },
            schema: ServerOptions.schema
        )
        return try Settings(invocation, file: file, environment: .current)
    }

    /// Combines the sources. Throws `usage` or `configuration` for settings that contradict each
    /// other.
    init(
        _ invocation: Invocation,
        file: ConfigurationFile,
        environment: Environment = .none
    ) throws(CommandError) {
        profile =
            invocation.option("profile") ?? environment.profile ?? ConfigurationFile.defaultProfile
        let typed = Dictionary(
            ServerOptions.configurable.compactMap { option in
                invocation.option(option.name).map { (option.name, $0) }
            }
        ) { $1 }
        var stored = Self.usable(try file.values(ofProfile: profile), with: typed)
        // A typed server replaces all of the file's settings about the server.
        if typed["sandbox"] != nil {
            for name in stored.keys where name.hasSuffix("-url") { stored[name] = nil }
        }
        if typed["base-url"] != nil { stored["sandbox"] = nil }
        values = stored.merging(typed) { $1 }
        typedNames = Set(typed.keys)
        if values["sandbox"] != nil, values["base-url"] != nil {
            throw CommandError(
                typed["sandbox"] != nil ? .usage : .configuration,
                "--sandbox and --base-url cannot be combined"
            )
        }
        try Self.checkURLs(values)
        credentials = try Self.credentials(values, typed: typed, environment: environment)
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

    /// What agents may do.
    var agents: AgentSettings {
        var agents = AgentSettings()
        if let names = values["tools"] { agents.tools = ToolSelection(names) }
        if let policy = values["confirm"].flatMap(Consent.Policy.init) { agents.consent = policy }
        if let timeout = duration("confirm-timeout") { agents.questionTimeout = timeout }
        return agents
    }

    /// The error of `tools`, which is in the command line or in the configuration file.
    func error(inTools problem: String) -> CommandError {
        typedNames.contains("tools")
            ? CommandError(.usage, "--tools: \(problem)") : Self.wrong("tools: \(problem)")
    }

    private func duration(_ name: String) -> Duration? {
        values[name].flatMap { Double($0) }.map { .milliseconds(Int(($0 * 1_000).rounded())) }
    }

    /// The profile of every sandbox, so that sandboxes share no data with real servers.
    private static let sandboxProfile = "sandbox"

    /// The configuration. Throws `configuration` if the credentials cannot be read.
    func checkedConfiguration(sandbox: Sandbox?) throws(CommandError) -> Configuration {
        let configuration = try configuration(sandbox: sandbox)
        do throws(CredentialError) {
            try configuration.credentials.check()
        } catch {
            throw Self.wrong(error.description, try: error.advice)
        }
        return configuration
    }

    /// The configuration. With a sandbox, the default directories are in the sandbox's directory.
    func configuration(sandbox: Sandbox?) throws(CommandError) -> Configuration {
        let cache =
            values["cache-dir"] ?? sandbox.map { $0.directory + "/cache" }
            ?? BaseDirectory.cache.path(for: Self.programName)
        let state =
            values["state-dir"] ?? sandbox.map { $0.directory + "/state" }
            ?? BaseDirectory.state.path(for: Self.programName)
        guard let cache, let state else {
            throw CommandError(
                .usage,
                "HOME is not set",
                suggestions: ["--cache-dir DIR and --state-dir DIR"]
            )
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
        if let bytes = values["max-response"].flatMap({ Int($0) }) {
            configuration.maximumResponseBytes = bytes
        }
        if let bytes = values["list-memory"].flatMap({ Int($0) }) {
            configuration.maximumListMemory = bytes
        }
        if let deadline = duration("soft-deadline") { configuration.softDeadline = deadline }
        try Self.checkConfidentiality(of: configuration)
        return configuration
    }

    private func endpoints(_ sandbox: Sandbox?) -> Endpoints {
        var endpoints =
            (sandbox?.baseURL ?? values["base-url"]).map(Endpoints.init(base:))
            ?? Endpoints()
        if let url = values["salons-url"] { endpoints.salons = url }
        if let url = values["appointments-url"] { endpoints.appointments = url }
        // The feed is that of the lists below the base URL.
        if values["salons-url"] != nil || values["appointments-url"] != nil {
            endpoints.changes = nil
        }
        if let url = values["availability-url"] { endpoints.availability = url }
        if let url = values["holds-url"] { endpoints.holds = url }
        for list in ListedResource.all {
            if let url = values["\(list.name)-url"] { endpoints.lists[list.name] = url }
        }
        return endpoints
    }
}

/// The settings in environment variables. An empty variable counts as unset.
struct Environment: Sendable {
    /// `NOVABLEND_PROFILE`: the profile, unless `--profile` names one.
    var profile: String?
    /// `NOVABLEND_TOKEN`: the token of the selected profile.
    var token: String?

    /// No settings.
    static let none = Environment()

    /// The environment of this process.
    static var current: Environment {
        Environment(
            profile: variable("NOVABLEND_PROFILE"),
            token: variable("NOVABLEND_TOKEN")
        )
    }

    private static func variable(_ name: String) -> String? {
        getenv(name).map { String(systemBytes: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
