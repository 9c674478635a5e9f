import CommandLineKit
import JSON
import NovaBlendDoctor

/// The command `doctor`: shows the result of each check; fails if a check fails.
enum DoctorCommand {
    static let command = Command(
        "doctor",
        "check the setup and show what is wrong",
        details: [
            "The command checks the server, its certificate, the credentials, the proxy, the "
                + "directories and their permissions, the booking journal, other accounts, the clock, "
                + "and the time zones. It exits with 1 if a check fails; a warning is not a failure."
        ],
        optionGroups: [ServerOptions.outputGroup, ServerOptions.group],
        examples: [
            .init("novablend doctor --base-url https://salons.example", "check everything"),
            .init("novablend doctor --profile work", "check a profile and its credentials"),
        ],
        run: { invocation, terminal throws(CommandError) in
            try await TerminationSignals.cancelling { () async throws(CommandError) in
                try await run(invocation, on: terminal)
            }
        }
    )

    private static func run(
        _ invocation: Invocation,
        on terminal: Terminal
    ) async throws(CommandError) -> ExitCode {
        let settings = try Settings.load(invocation)
        let sandbox = try Sandbox.requested(by: settings)
        defer { sandbox?.stop() }
        let progress = ProgressLine(terminal)
        defer { progress.end() }
        let doctor = Doctor(try settings.configuration(sandbox: sandbox))
        let findings = await doctor.examine { progress.report("checking \($0)") }
        progress.end()
        if Task.isCancelled { throw CommandError(.interrupted, "interrupted") }
        if invocation.has(ServerOptions.json) {
            let encoded = Finding.encode(findings).bytes
            try terminal.write(SafeText.json(encoded) + [UInt8(ascii: "\n")])
        } else {
            try terminal.print(findings.map(line))
        }
        return findings.contains { $0.state == .fail } ? .failure : .success
    }

    private static func line(_ finding: Finding) -> String {
        let text =
            padded(finding.state.rawValue, to: 6) + padded(finding.check, to: 16) + finding.found
        return SafeText.line(finding.advice.map { "\(text); \($0)" } ?? text)
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
