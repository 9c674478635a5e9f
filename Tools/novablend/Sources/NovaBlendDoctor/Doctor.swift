import Domain
import Networking
import NovaBlendAccounts
import NovaBlendAdapters
public import NovaBlendConfiguration
import SystemSupport
import Zones

/// Checks an installation: its configuration, directories, and server.
public struct Doctor: Sendable {
    private let configuration: Configuration

    /// Creates a doctor for `configuration`.
    public init(_ configuration: Configuration) { self.configuration = configuration }

    /// Runs all checks in order. Calls `report` before each check.
    public func examine(
        report: @Sendable (_ check: String) -> Void = { _ in }
    ) async -> [Finding] {
        let credentials = configuration.credentials
        let tokens = TokenSource(credentials)
        report("token")
        let token = await TokenCheck(source: credentials.token, tokens: tokens).examine()
        report("server")
        let probe = await ServerProbe.send(configuration, tokens)
        let clock = SystemClock()
        let account = configuration.account
        var findings = [
            ServerCheck(probe: probe, salonsURL: configuration.endpoints.salons).finding,
            CertificateCheck(
                probe: probe,
                file: configuration.certificateFile,
                directory: configuration.certificateDirectory
            ).finding,
            token,
            ClientCertificateCheck(credentials: credentials, probe: probe).finding,
            ProxyCheck(proxy: configuration.proxy).finding,
        ]
        for (name, path) in [
            ("cache", configuration.cacheDirectory), ("state", configuration.stateDirectory),
        ] {
            report("the \(name) directory")
            findings.append(DirectoryCheck(name: name, path: path).finding)
            findings.append(PermissionCheck(name: name, path: path).finding)
            let check = WriteCheck(name: name, path: path, subdirectory: account.subdirectory)
            findings.append(check.finding)
        }
        let journal = FileBookingJournal(
            directory: configuration.stateDirectory,
            subdirectory: account.subdirectory,
            clock: clock
        )
        let others = OtherAccounts(
            account: account,
            directory: configuration.stateDirectory,
            clock: clock
        )
        let server = account.server ?? "no appointments URL"
        findings.append(
            Finding(check: "account", state: .ok, found: "profile \(account.profile), \(server)")
        )
        findings.append(JournalCheck(journal: journal).finding)
        findings.append(OtherAccountsCheck(accounts: others).finding)
        findings.append(ClockCheck(probe: probe, now: clock.now).finding)
        findings.append(ZoneCheck(directory: nil).finding)
        let version = BuildStamp.current.description
        findings.append(InstallationCheck(path: ProgramFile.path, version: version).finding)
        return findings
    }
}
