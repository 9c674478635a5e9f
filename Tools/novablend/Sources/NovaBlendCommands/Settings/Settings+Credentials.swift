import CommandLineKit
import NovaBlendAccounts
import NovaBlendConfiguration

extension Settings {
    /// The values of the file that can be combined with typed ones.
    ///
    /// The credentials in the file belong to the servers in the file. If a different server or the
    /// sandbox was typed, they are omitted.
    static func usable(
        _ file: [String: String],
        with typed: [String: String]
    ) -> [String: String] {
        let own = Set(urls(file).compactMap(Origin.init))
        let namesDifferentServer =
            !own.isEmpty && urls(typed).contains { Origin($0).map(own.contains) != true }
        guard namesDifferentServer || typed["sandbox"] != nil else { return file }
        let names = ServerOptions.credentials.map(\.name)
        return file.filter { !names.contains($0.key) }
    }

    private static func urls(_ values: [String: String]) -> [String] {
        values.filter { $0.key.hasSuffix("-url") }.map(\.value)
    }

    /// The credentials. A typed token takes precedence over `NOVABLEND_TOKEN`, which takes
    /// precedence over the file. The sandbox needs no token.
    static func credentials(
        _ values: [String: String],
        typed: [String: String],
        environment: Environment
    ) throws(CommandError) -> Credentials {
        let isTyped = typed["token-file"] != nil || typed["token-command"] != nil
        let pair = typed["client-certificate"] == nil ? values : typed
        var credentials = Credentials(
            certificateFile: pair["client-certificate"],
            keyFile: pair["client-key"]
        )
        if credentials.keyFile != nil, credentials.certificateFile == nil {
            throw wrong("client-key requires client-certificate")
        }
        if let value = environment.token, !isTyped, values["sandbox"] == nil {
            do throws(CredentialError) {
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
        _ values: [String: String]
    ) throws(CommandError) -> Credentials.Token? {
        guard let command = values["token-command"] else {
            return values["token-file"].map(Credentials.Token.file)
        }
        guard values["token-file"] == nil else {
            throw wrong("token-file and token-command cannot be combined")
        }
        guard let words = CommandWords.split(command), !words.isEmpty else {
            throw wrong("token-command is empty, or a quote is not closed")
        }
        return .command(words)
    }

    /// Checks that no URL contains a user name or password: error messages show URLs.
    static func checkURLs(_ values: [String: String]) throws(CommandError) {
        for (name, value) in values.sorted(by: { $0.key < $1.key })
        where (name.hasSuffix("-url") || name == "proxy") && hasUserInfo(value) {
            throw wrong(
                "\(name) contains a user name or password",
                try: name == "proxy"
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
