import CommandLineKit
import NovaBlendAccounts
import NovaBlendConfiguration

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
