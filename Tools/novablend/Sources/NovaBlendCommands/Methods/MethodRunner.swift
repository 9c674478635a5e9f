import CommandLineKit
import Domain
import JSON
import JSONRPC
import NovaBlendEngine
import NovaBlendMethods

/// Runs a command that calls a method.
struct MethodRunner: Sendable {
    let command: MethodCommand
    let invocation: Invocation
    let terminal: Terminal

    private var isDryRun: Bool { invocation[.dryRun] != nil }

    func run() async throws(CommandError) -> ExitCode {
        let settings = try Settings.load(invocation)
        return try await TerminationSignals.cancelling { () async throws(CommandError) in
            do throws(CommandError) {
                return try await call(settings)
            } catch  where invocation.has(MethodCommand.watch) && error.isClosedPipe {
                return .success
            } catch {
                throw error.inTerms(of: command, invocation)
            }
        }
    }

    private func call(_ settings: Settings) async throws(CommandError) -> ExitCode {
        let sandbox = try Sandbox.requested(by: settings)
        defer { sandbox?.stop() }
        let progress = ProgressLine(terminal)
        defer { progress.end() }
        let configuration = try settings.checkedConfiguration(sandbox: sandbox)
        let composition = Composition(
            configuration,
            // Lookups before the call, such as that of a salon, must not change the cache either.
            isDryRun: isDryRun
        )
        if !isDryRun { composition.removeExpiredData() }
        var invoker = MethodInvoker(
            composition: composition,
            progress: progress,
            budget: CallBudget(configuration.callTimeout)
        )
        let reader = ParameterReader(
            for: command,
            invocation,
            invoker,
            asking: interactiveTerminal
        )
        var params = try await reader.read()
        let call = command.call(for: invocation)
        let method = call.method
        if command.requiresConfirmation, !invocation.has(MethodCommand.yes), !isDryRun {
            try await confirm(method, &params, invoker)
        }
        // Start before the first call, so that no change is missed.
        let events =
            invocation.has(MethodCommand.watch)
            ? composition.makeChanges().events(of: command.watchedLists) : nil
        try await show(try await call.run(params, invoker), of: method, invoker)
        guard let events else { return .success }
        invoker.budget = nil
        var terminal = terminal
        terminal.reportsClosedPipe = true
        for await event in events {
            if let note = event.note { terminal.printNote(note) }
            guard case .changed = event else { continue }
            let result = try await call.run(params, invoker)
            if !invocation.has(ServerOptions.json) { try terminal.clear() }
            try await write(result, to: terminal, invoker)
        }
        return .success
    }

    /// The terminal on which a person can answer questions; nil without a terminal or with `--no-input`.
    private var interactiveTerminal: Terminal? {
        terminal.isInteractive && !invocation.has(ServerOptions.noInput) ? terminal : nil
    }

    private func show(
        _ result: MethodResult,
        of method: String,
        _ invoker: MethodInvoker
    ) async throws(CommandError) {
        guard invoker.alwaysChanges(method), !isDryRun else {
            return try await write(result, to: terminal, invoker)
        }
        do {
            var terminal = terminal
            terminal.reportsClosedPipe = true
            try await write(result, to: terminal, invoker)
        } catch {
            try await showLost(result, because: error, invoker)
        }
    }

    private func write(
        _ result: MethodResult,
        to terminal: Terminal,
        _ invoker: MethodInvoker,
        hidesPersonalData: Bool = false
    ) async throws(CommandError) {
        if invocation.has(ServerOptions.json) {
            let encoded =
                hidesPersonalData ? try result.encodeWithoutPersonalData() : try result.encode()
            invoker.progress.end()
            try terminal.write(SafeText.json(encoded.bytes) + [UInt8(ascii: "\n")])
        } else {
            let report = await result.report(
                ViewContext(
                    invocation: invocation,
                    invoker: invoker,
                    hidesPersonalData: hidesPersonalData
                )
            )
            invoker.progress.end()
            try report.show(on: terminal)
        }
    }

    /// Shows the outcome of a change on standard error, because standard output cannot be written, and
    /// nothing else shows the id and the key of a booking. Throws `error`, unless the reader has
    /// closed the pipe.
    private func showLost(
        _ result: MethodResult,
        because error: CommandError,
        _ invoker: MethodInvoker
    ) async throws(CommandError) {
        // With `--json`, a script reads the error as one object, so the outcome is in the error's data.
        if error.isClosedPipe || !invocation.has(ServerOptions.json) {
            try? await write(
                result,
                to: terminal.withResultsOnErrors,
                invoker,
                hidesPersonalData: true
            )
        }
        if error.isClosedPipe { return }
        var error = error
        error.note = "the change was made; only the output failed"
        error.underlyingError = error.rpcError.addingResult(
            try result.encodeWithoutPersonalData()
        )
        throw error
    }

    /// Asks on the terminal, and adds the parameters that make the call do what the question shows.
    /// Without an interactive terminal, `--yes` is required.
    private func confirm(
        _ method: String,
        _ params: inout Parameters,
        _ invoker: MethodInvoker
    ) async throws(CommandError) {
        guard let terminal = interactiveTerminal else {
            throw CommandError(
                .usage,
                "\(command.name) requires --yes without a terminal to confirm on",
                note: "nothing was changed",
                suggestions: ["the same command with --yes"]
            )
        }
        let confirmation = try await invoker.confirmation(before: method, params)
        guard let confirmation else { return }
        invoker.progress.end()
        for line in confirmation.details { terminal.printError("  " + SafeText.line(line)) }
        let isConfirmed: Bool
        do {
            isConfirmed = try await terminal.confirm(confirmation.question)
        } catch {
            throw .interrupted
        }
        guard isConfirmed else {
            throw CommandError(.notAllowed, "not confirmed", note: "nothing was changed")
        }
        for (name, value) in confirmation.pinnedArguments { params.set(name, value) }
    }
}
