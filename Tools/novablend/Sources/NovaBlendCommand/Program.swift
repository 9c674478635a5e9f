import Glibc
import JSON
import NovaBlendConfiguration

/// The command line: what the executable does with its arguments.
public enum Program {
    /// Does what `arguments`, without the program's name, ask for, and gives what to exit with.
    public static func run(_ arguments: [String]) async -> Int32 {
        let terminal = Terminal()
        do throws(CommandFailure) {
            switch try CommandLineParser().parse(arguments) {
            case .help(let command):
                try terminal.print([HelpText.of(command)])
            case .version: try terminal.print(["novablend \(Version.current)"])
            case .run(let invocation): return try await run(invocation, on: terminal)
            }
            return ExitCode.done.rawValue
        } catch {
            return report(error, arguments, on: terminal)
        }
    }

    private static func report(
        _ failure: CommandFailure,
        _ arguments: [String],
        on terminal: Terminal
    ) -> Int32 {
        if arguments.contains("--json") {
            let encoded = SafeText.json(failure.encodable.encoded.bytes)
            Terminal.say(String(decoding: encoded, as: UTF8.self))
        } else {
            terminal.complain(failure)
        }
        return failure.exit.rawValue
    }

    private static func run(
        _ invocation: Invocation,
        on terminal: Terminal
    ) async throws(CommandFailure) -> Int32 {
        switch invocation.command.action {
        case .serve: return try await serve(invocation)
        case .manual: try terminal.print([ManualPage.text])
        case .completions: try terminal.print([Completions.script(for: invocation)])
        case .doctor:
            let examination = Examination(invocation, terminal)
            return try await interruptible { () async throws(CommandFailure) in
                try await examination.run()
            }
        case .call(let call):
            let runner = MethodRunner(
                invocation: invocation,
                settings: try settings(invocation),
                terminal: terminal
            )
            return try await interruptible { () async throws(CommandFailure) in
                try await runner.run(call)
                return .done
            }
        }
        return ExitCode.done.rawValue
    }

    static func settings(_ invocation: Invocation) throws(CommandFailure) -> Settings {
        let file = try ConfigurationFile.load(named: invocation.option("config"))
        return try Settings(invocation, file: file, environment: .current)
    }

    private static func serve(_ invocation: Invocation) async throws(CommandFailure) -> Int32 {
        let service = Service(settings: try settings(invocation))
        do {
            return try await service.run()
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure(.failed, "\(error)")
        }
    }

    /// Runs `work`, which the first signal cancels: what was begun is undone or written down.
    private static func interruptible(
        _ work: @escaping @Sendable () async throws(CommandFailure) -> ExitCode
    ) async throws(CommandFailure) -> Int32 {
        // Where nobody reads any more, a sandbox is still to be ended.
        signal(SIGPIPE, SIG_IGN)
        let task = Task { () -> Result<ExitCode, CommandFailure> in
            do throws(CommandFailure) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        TerminationSignals.onArrival { task.cancel() }
        return try await task.value.get().rawValue
    }
}
