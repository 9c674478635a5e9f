import NovaBlendAccounts
import NovaBlendConfiguration

extension Settings {
    /// The values of the file that may be used beside those that were typed.
    ///
    /// The credentials of the file are for the servers of the file: who types the URL of a different
    /// one, or `--sandbox`, does not mean to send them there.
    static func usable(
        _ file: [String: String],
        beside typed: [String: String]
    ) -> [String: String] {
        let own = Set(urls(file).compactMap(Origin.init))
        let isElsewhere =
            !own.isEmpty && urls(typed).contains { Origin($0).map(own.contains) != true }
        guard isElsewhere || typed["sandbox"] != nil else { return file }
        let names = Option.credentials.map(\.name)
        return file.filter { !names.contains($0.key) }
    }

    private static func urls(_ values: [String: String]) -> [String] {
        values.filter { $0.key.hasSuffix("-url") }.map(\.value)
    }

    /// The credentials that were asked for: a typed token wins over the environment's, and that over
    /// the file's. The sandbox needs none.
    static func credentials(
        _ values: [String: String],
        typed: [String: String],
        environment: Environment
    ) throws(CommandFailure) -> Credentials {
        let isTyped = typed["token-file"] != nil || typed["token-command"] != nil
        let pair = typed["client-certificate"] == nil ? values : typed
        var credentials = Credentials(
            certificateFile: pair["client-certificate"],
            keyFile: pair["client-key"]
        )
        if credentials.keyFile != nil, credentials.certificateFile == nil {
            throw wrong("client-key needs client-certificate")
        }
        if let value = environment.token, !isTyped, values["sandbox"] == nil {
            do throws(CredentialError) {
                credentials.token = .environment(try .init(value))
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
    ) throws(CommandFailure) -> Credentials.Token? {
        guard let command = values["token-command"] else {
            return values["token-file"].map(Credentials.Token.file)
        }
        guard values["token-file"] == nil else {
            throw wrong("token-file and token-command exclude each other")
        }
        guard let words = CommandWords.split(command), !words.isEmpty else {
            throw wrong("token-command has a quote that is not closed")
        }
        return .command(words)
    }

    /// Checks that no URL has a user name or password in it: URLs are shown in errors.
    static func checkURLs(_ values: [String: String]) throws(CommandFailure) {
        for (name, value) in values.sorted(by: { $0.key < $1.key })
        where (name.hasSuffix("-url") || name == "proxy") && hasUserInfo(value) {
            throw wrong(
                "\(name) has a user name or password in it",
                try: name == "proxy"
                    ? "--proxy environment, which takes it from https_proxy"
                    : "a token-file or a token-command"
            )
        }
    }

    private static func hasUserInfo(_ url: String) -> Bool {
        guard let scheme = url.firstRange(of: "://") else { return false }
        return url[scheme.upperBound...].prefix { !"/?#".contains($0) }.contains("@")
    }

    /// Checks that no token can be read on its way.
    static func checkConfidentiality(
        of configuration: Configuration
    ) throws(CommandFailure) {
        guard configuration.credentials.token != nil else { return }
        for url in configuration.endpoints.all {
            guard let origin = Origin(url), !origin.isConfidential else { continue }
            throw wrong(
                "\(origin) is not encrypted: a token could be read on the way",
                try: "https, or no token"
            )
        }
    }

    static func wrong(_ what: String, try hint: String? = nil) -> CommandFailure {
        CommandFailure(.configuration, what, tries: [hint].compactMap(\.self))
    }
}
