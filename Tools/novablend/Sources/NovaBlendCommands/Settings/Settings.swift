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

    /// The configuration file that is read unless a different one is named.
    private static var defaultPath: String? {
        BaseDirectory.config.path(for: programName).map { $0 + "/config" }
    }

    private let values: OptionValues
    /// The settings in the command line.
    private let typed: OptionValues
    private let profile: String
    private let credentials: Credentials

    /// Reads the settings of a command. Throws `usage` or `configuration`.
    static func load(_ invocation: Invocation) throws(CommandError) -> Settings {
        let file = try ConfigurationFile.load(
            invocation[ServerOptions.config],
            defaultPath: defaultPath,
            schema: ServerOptions.schema
        )
        return try Settings(invocation, file: file, environment: .current)
    }

    /// Creates settings from the sources. Throws `usage` or `configuration` for settings that
    /// contradict each other.
    init(
        _ invocation: Invocation,
        file: ConfigurationFile,
        environment: Environment = .none
    ) throws(CommandError) {
        profile =
            invocation[ServerOptions.profile] ?? environment.profile
            ?? ConfigurationFile.defaultProfile
        typed = invocation.options
        var stored = Self.usable(try file.values(ofProfile: profile), with: typed)
        // A typed sandbox overrides the file's URLs, and a typed base URL overrides the file's sandbox.
        let sandbox = ServerOptions.sandbox
        if typed.has(sandbox) { stored.remove(ServerOptions.urls) }
        if typed.has(ServerOptions.baseURL) { stored.remove([sandbox]) }
        values = stored.merging(typed)
        if values.has(sandbox), values.has(ServerOptions.baseURL) {
            throw CommandError(
                typed.has(sandbox) ? .usage : .configuration,
                "--sandbox and --base-url cannot be combined"
            )
        }
        try Self.checkURLs(values)
        credentials = try Self.credentials(values, typed: typed, environment: environment)
    }

    var isSandbox: Bool { values.has(ServerOptions.sandbox) }
    var traceFile: String? { values[ServerOptions.trace] }
    var isVerbose: Bool { values.has(ServerOptions.verbose) }
    var framing: FramingMode { values[ServerOptions.framing] ?? .auto }

    var limits: RPCLimits {
        var limits = RPCLimits()
        if let bytes = values[ServerOptions.maximumMessage] {
            limits.maximumMessageBytes = bytes
        }
        return limits
    }

    /// What agents may do.
    var agents: AgentSettings {
        var agents = AgentSettings()
        if let tools = values[ServerOptions.tools] { agents.tools = tools }
        agents.listsResultSchemas = values.has(ServerOptions.resultSchemas)
        if let policy = values[ServerOptions.confirm] { agents.consent = policy }
        if let timeout = values[ServerOptions.confirmTimeout] { agents.questionTimeout = timeout }
        return agents
    }

    /// The error of `tools`, which is in the command line or in the configuration file.
    func error(inTools problem: String) -> CommandError {
        typed.has(ServerOptions.tools)
            ? CommandError(.usage, "--tools: \(problem)") : Self.wrong("tools: \(problem)")
    }

    /// The profile of every sandbox, so that sandboxes share no data with real servers.
    private static let sandboxProfile = "sandbox"

    /// The configuration. Throws `configuration` if the credentials cannot be read.
    func checkedConfiguration(sandbox: Sandbox?) throws(CommandError) -> Configuration {
        let configuration = try configuration(sandbox: sandbox)
        do {
            try configuration.credentials.check()
        } catch {
            throw Self.wrong(error.description, try: error.advice)
        }
        return configuration
    }

    /// The configuration. With a sandbox, the default directories are in the sandbox's directory.
    func configuration(sandbox: Sandbox?) throws(CommandError) -> Configuration {
        let cache =
            values[ServerOptions.cacheDirectory] ?? sandbox.map { $0.directory + "/cache" }
            ?? BaseDirectory.cache.path(for: Self.programName)
        let state =
            values[ServerOptions.stateDirectory] ?? sandbox.map { $0.directory + "/state" }
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
            isReadOnly: values.has(ServerOptions.readOnly),
            certificateFile: values[ServerOptions.certificateFile]
        )
        configuration.profile = isSandbox ? Self.sandboxProfile : profile
        configuration.credentials = credentials
        configuration.settingsFiles = [
            typed[ServerOptions.config] ?? Self.defaultPath, values[ServerOptions.tokenFile],
            values[ServerOptions.certificateFile], values[ServerOptions.clientCertificate],
            values[ServerOptions.clientKey],
        ].compactMap(\.self)
        configuration.certificateDirectory = values[ServerOptions.certificateDirectory]
        switch values[ServerOptions.proxy] {
        case nil: break
        case ServerOptions.proxyOfEnvironment: configuration.proxy = .environment
        case .some(let url): configuration.proxy = .url(url)
        }
        if let bytes = values[ServerOptions.maximumResponse] {
            configuration.maximumResponseBytes = bytes
        }
        if let bytes = values[ServerOptions.listMemory] {
            configuration.maximumListMemory = bytes
        }
        if let deadline = values[ServerOptions.softDeadline] {
            configuration.softDeadline = deadline
        }
        if let timeout = values[ServerOptions.timeout] { configuration.callTimeout = timeout }
        try Self.checkConfidentiality(of: configuration)
        return configuration
    }

    private func endpoints(_ sandbox: Sandbox?) -> Endpoints {
        var endpoints =
            (sandbox?.baseURL ?? values[ServerOptions.baseURL]).map(Endpoints.init(base:))
            ?? Endpoints()
        if let url = values[ServerOptions.salonsURL] { endpoints.salons = url }
        if let url = values[ServerOptions.appointmentsURL] { endpoints.appointments = url }
        // The feed reports the changes of the lists below the base URL, so it does not apply to
        // lists with their own URLs.
        if values.has(ServerOptions.salonsURL) || values.has(ServerOptions.appointmentsURL) {
            endpoints.changes = nil
        }
        if let url = values[ServerOptions.availabilityURL] { endpoints.availability = url }
        if let url = values[ServerOptions.holdsURL] { endpoints.holds = url }
        for (list, option) in ServerOptions.listURLs {
            if let url = values[option] { endpoints.lists[list] = url }
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

    /// The settings of an empty environment.
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

extension Settings {
    /// The values of the file that can be combined with typed ones.
    ///
    /// The credentials in the file belong to the servers in the file. If a different server or the
    /// sandbox was typed, they are omitted.
    static func usable(
        _ file: OptionValues,
        with typed: OptionValues
    ) -> OptionValues {
        let own = Set(urls(file).compactMap(Origin.init))
        let namesDifferentServer =
            !own.isEmpty && urls(typed).contains { Origin($0).map(own.contains) != true }
        guard namesDifferentServer || typed.has(ServerOptions.sandbox) else { return file }
        var usable = file
        usable.remove(ServerOptions.credentials)
        return usable
    }

    private static func urls(_ values: OptionValues) -> [String] {
        ServerOptions.urls.compactMap { values[$0] }
    }

    /// The credentials. A typed token takes precedence over `NOVABLEND_TOKEN`, which takes
    /// precedence over the file. The sandbox needs no token.
    static func credentials(
        _ values: OptionValues,
        typed: OptionValues,
        environment: Environment
    ) throws(CommandError) -> Credentials {
        let isTyped = typed.has(ServerOptions.tokenFile) || typed.has(ServerOptions.tokenCommand)
        let pair = typed.has(ServerOptions.clientCertificate) ? typed : values
        var credentials = Credentials(
            certificateFile: pair[ServerOptions.clientCertificate],
            keyFile: pair[ServerOptions.clientKey]
        )
        if credentials.keyFile != nil, credentials.certificateFile == nil {
            throw wrong("client-key requires client-certificate")
        }
        if let value = environment.token, !isTyped, !values.has(ServerOptions.sandbox) {
            do {
                credentials.token = .environment(try BearerToken(environment: value))
            } catch {
                throw wrong(error.description, try: error.advice)
            }
        } else {
            credentials.token = try token(isTyped ? typed : values)
        }
        return credentials
    }

    private static func token(
        _ values: OptionValues
    ) throws(CommandError) -> Credentials.Token? {
        guard let command = values[ServerOptions.tokenCommand] else {
            return values[ServerOptions.tokenFile].map(Credentials.Token.file)
        }
        guard !values.has(ServerOptions.tokenFile) else {
            throw wrong("token-file and token-command cannot be combined")
        }
        guard let words = CommandWords.split(command), !words.isEmpty else {
            throw wrong("token-command is empty, or a quote is not closed")
        }
        return .command(words)
    }

    /// Checks that no URL contains a user name or password: error messages show URLs.
    static func checkURLs(_ values: OptionValues) throws(CommandError) {
        for option in ServerOptions.urls + [ServerOptions.proxy]
        where values[option].map(hasUserInfo) == true {
            throw wrong(
                "\(option.name) contains a user name or password",
                try: option.name == ServerOptions.proxy.name
                    ? "--proxy environment, which uses https_proxy"
                    : "a token-file or a token-command"
            )
        }
    }

    private static func hasUserInfo(_ url: String) -> Bool {
        let bytes = Array(url.utf8)
        guard let scheme = bytes.firstRange(of: "://".utf8) else { return false }
        return bytes[scheme.upperBound...].prefix { !"/?#".utf8.contains($0) }
            .contains(UInt8(ascii: "@"))
    }

    /// Checks that a token is only sent over HTTPS or to this machine.
    static func checkConfidentiality(
        of configuration: Configuration
    ) throws(CommandError) {
        guard configuration.credentials.token != nil else { return }
        for url in configuration.endpoints.all {
            guard let origin = Origin(url), !origin.isConfidential else { continue }
            throw wrong(
                "the connection to \(origin) is not encrypted: others could read the token",
                try: "an https URL, or no token"
            )
        }
    }

    static func wrong(_ message: String, try suggestion: String? = nil) -> CommandError {
        CommandError(.configuration, message, suggestions: [suggestion].compactMap(\.self))
    }
}
