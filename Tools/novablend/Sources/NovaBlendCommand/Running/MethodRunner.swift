import JSON
import NovaBlendAdapters
import NovaBlendEngine

/// Carries out a command that calls a method.
struct MethodRunner: Sendable {
    let invocation: Invocation
    let settings: Settings
    let terminal: Terminal

    func run(_ call: MethodCall) async throws(CommandFailure) {
        do throws(CommandFailure) {
            guard invocation.has("dry-run") else { return try await carryOut(call) }
            // Also what is looked up on the way, such as a salon's name, leaves no trace.
            try await DryRun.run { () throws(CommandFailure) in try await carryOut(call) }
        } catch {
            throw error.worded(for: invocation)
        }
    }

    private func carryOut(_ call: MethodCall) async throws(CommandFailure) {
        let sandbox = try Sandbox.wanted(by: settings)
        defer { sandbox?.stop() }
        let progress = ProgressLine(terminal)
        defer { progress.end() }
        let composition = Composition(try settings.checkedConfiguration(sandbox: sandbox))
        let conversation = Conversation(table: composition.methods, progress: progress)
        let params = try await ParameterReader(invocation: invocation, conversation: conversation)
            .read(for: call)
        let method = call.choose(invocation)
        if call.isConfirmed, !invocation.has("yes"), !invocation.has("dry-run") {
            try await confirm(method, params, conversation)
        }
        let answer = try await conversation.call(method, params)
        if invocation.has("json") {
            progress.end()
            return try terminal.write(SafeText.json(answer.encoded.bytes) + [UInt8(ascii: "\n")])
        }
        let scene = MethodCall.Scene(invocation: invocation, conversation: conversation)
        let report = await call.show(answer, scene)
        progress.end()
        try report.show(on: terminal)
    }

    /// Asks on a terminal; where nobody can be asked, `--yes` must have said it.
    private func confirm(
        _ method: String,
        _ params: Parameters,
        _ conversation: Conversation
    ) async throws(CommandFailure) {
        guard terminal.canAsk else {
            throw CommandFailure(
                .usage,
                "\(invocation.command.name) needs --yes where nobody can be asked",
                kept: "nothing was changed",
                tries: ["the same with --yes"]
            )
        }
        let question = try await conversation.question(before: method, params)
        conversation.progress.end()
        guard terminal.confirms(question ?? "Do it?") else {
            throw CommandFailure(.notAllowed, "not confirmed", kept: "nothing was changed")
        }
    }
}

extension Sandbox {
    /// A remote of its own, where the settings ask for one.
    static func wanted(by settings: Settings) throws(CommandFailure) -> Sandbox? {
        guard settings.isSandbox else { return nil }
        do throws(Sandbox.Failure) {
            return try Sandbox()
        } catch {
            throw CommandFailure(.failed, error.description)
        }
    }
}
