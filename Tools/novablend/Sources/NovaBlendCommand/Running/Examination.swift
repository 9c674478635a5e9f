import JSON
import NovaBlendDoctor

/// Carries out `doctor`.
struct Examination: Sendable {
    private let invocation: Invocation
    private let terminal: Terminal

    init(_ invocation: Invocation, _ terminal: Terminal) {
        self.invocation = invocation
        self.terminal = terminal
    }

    /// Shows what each check found; `failed` when one failed.
    func run() async throws(CommandFailure) -> ExitCode {
        let settings = try Program.settings(invocation)
        let sandbox = try Sandbox.wanted(by: settings)
        defer { sandbox?.stop() }
        let progress = ProgressLine(terminal)
        defer { progress.end() }
        let doctor = Doctor(try settings.configuration(sandbox: sandbox))
        let findings = await doctor.examine { progress.report("checking \($0)") }
        progress.end()
        if Task.isCancelled { throw CommandFailure(.interrupted, "interrupted") }
        if invocation.has("json") {
            let encoded = Finding.encode(findings).bytes
            try terminal.write(SafeText.json(encoded) + [UInt8(ascii: "\n")])
        } else {
            for finding in findings { try terminal.print([line(finding)]) }
        }
        return findings.contains { $0.state == .fail } ? .failed : .done
    }

    private func line(_ finding: Finding) -> String {
        let (state, name) = (finding.state.rawValue, finding.check)
        let head = state.padded(to: 6) + name.padded(to: 13) + finding.found
        return SafeText.line(finding.advice.map { "\(head); \($0)" } ?? head)
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
