import CommandLineKit
import Domain
import Glibc
import JSON
import JSONRPC
import NovaBlendEngine
import NovaBlendMethods
import SystemSupport

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
            terminal.updateSize()
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
            try report.show(on: terminal, fitsHeight: invocation.has(MethodCommand.watch))
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

/// Creates the parameters of a call from typed arguments and options.
struct ParameterReader: Sendable {
    private let command: MethodCommand
    private let invocation: Invocation
    private let invoker: MethodInvoker
    private let finder: SalonFinder

    /// - Parameter terminal: Where a person can answer questions; nil if no one can be asked.
    init(
        for command: MethodCommand,
        _ invocation: Invocation,
        _ invoker: MethodInvoker,
        asking terminal: Terminal?
    ) {
        (self.command, self.invocation, self.invoker) = (command, invocation, invoker)
        let isForChange = command.methods.allSatisfy(invoker.mayChange)
        finder = SalonFinder(
            invoker: invoker,
            isForChange: isForChange,
            terminal: invocation.has(ServerOptions.json) ? nil : terminal
        )
    }

    func read() async throws(CommandError) -> Parameters {
        let typed = command.inputs.compactMap { input in
            invocation[input].map { (input: input, value: $0) }
        }
        let salon = try await salon(in: typed)
        let times = TypedTime(
            clock: salon?.clock,
            usesMachineClock: salon.map { $0.zone == nil } ?? false
        )
        var params = Parameters()
        for (input, value) in typed {
            guard let parameter = input.parameter else { continue }
            switch input.kind {
            case .flag: params.set(parameter, true)
            case .integer: params.set(parameter, JSONFragment(trusted: Array(value.utf8)))
            case .salon: params.set(parameter, salon?.id ?? value)
            case .time: params.set(parameter, try time(times.time, value, input))
            case .startTime, .endTime: params.set(parameter, try time(times.bound, value, input))
            case .fields: params.set(parameter, try fields(value, input))
            case .file: if !value.isEmpty { params.set(parameter, try absolutePath(value)) }
            case .service:
                let id = try await finder.id(value, in: { $0.services }, "service", of: salon)
                params.set(parameter, id)
            case .staffMember(let anyone):
                if let id = try await staffMember(value, of: salon) {
                    params.set(parameter, id)
                } else if let anyone {
                    params.set(anyone, true)
                }
            case .text, .choice, .appointment, .day, .salonWords: params.set(parameter, value)
            }
        }
        try await command.prepare?(invocation, times, &params)
        return params
    }

    /// The typed time in the form that the method accepts.
    private func time(
        _ convert: (String, String) throws(CommandError) -> String?,
        _ typed: String,
        _ input: MethodInput
    ) throws(CommandError) -> String {
        if let time = try convert(typed, input.parameter ?? input.spelling) { return time }
        let day = input.kind == .time ? "" : ", or only a day"
        throw .usage("\(input.spelling) must be \(TypedTime.timeForms)\(day)", of: invocation)
    }

    private func fields(
        _ typed: String,
        _ input: MethodInput
    ) throws(CommandError) -> JSONFragment {
        guard invocation.has(ServerOptions.json) else {
            throw .usage("\(input.spelling) requires --json", of: invocation)
        }
        let names = typed.split { $0 == "," || $0.isWhitespace }.map(String.init)
        return JSONFragment { writer in
            writer.array { writer in
                for name in names { writer.string(name) }
            }
        }
    }

    /// The salon that was typed, or the salon of the appointment to reschedule.
    private func salon(
        in typed: [(input: MethodInput, value: String)]
    ) async throws(CommandError) -> FoundSalon? {
        if let name = typed.first(where: { $0.input.kind == .salon })?.value {
            return try await finder.find(name)
        }
        guard typed.contains(where: { $0.input.kind == .time }),
            let id = typed.first(where: { $0.input.kind == .appointment })?.value
        else { return nil }
        let params = Parameters(["policy": "cacheFirst"])
        let known = try? await invoker.call(AppointmentMethods.list, params)
        let listed = known?.appointments.first { $0.view.appointment.id == id }
        guard let salon = listed?.view.appointment.booking.salonID else { return nil }
        return try await finder.find(salon.description)
    }

    /// The id of a staff member; nil for `anyone`, unless a staff member has this name.
    private func staffMember(
        _ typed: String,
        of salon: FoundSalon?
    ) async throws(CommandError) -> String? {
        do {
            return try await finder.id(typed, in: { $0.staff }, "staff member", of: salon)
        } catch {
            if typed.lowercased() == "anyone" { return nil }
            throw error
        }
    }

    private func absolutePath(_ path: String) throws(CommandError) -> String {
        if path.hasPrefix("/") { return path }
        guard let directory = getcwd(nil, 0) else {
            throw CommandError(
                .inputOutput,
                "the current directory: \(String(cString: strerror(errno)))"
            )
        }
        defer { free(directory) }
        return String(systemBytes: directory) + "/" + path
    }
}

/// Collects the parameters of a call.
struct Parameters: Sendable {
    private var members: [(name: String, value: JSONFragment)] = []

    init() {}

    /// Creates parameters whose values are texts.
    init(_ texts: KeyValuePairs<String, String>) {
        for (name, text) in texts { set(name, text) }
    }

    /// The parameters as one object.
    var fragment: JSONFragment {
        ObjectFragment { writer in
            for (name, value) in members { writer.member(named: name, value) }
        }.fragment
    }

    /// The value of a parameter; nil if it is not set. Setting nil removes it.
    subscript(name: String) -> JSONFragment? {
        get { members.first { $0.name == name }?.value }
        set {
            members.removeAll { $0.name == name }
            if let newValue { members.append((name, newValue)) }
        }
    }

    /// The text of a parameter; nil if it is not set, or not a text.
    func text(_ name: String) -> String? {
        self[name].flatMap { try? JSONDocument(parsing: $0.bytes).root.string() }
    }

    func has(_ name: String) -> Bool { members.contains { $0.name == name } }

    mutating func set(_ name: String, _ text: String) {
        set(name, JSONFragment { $0.string(text) })
    }

    mutating func set(_ name: String, _ number: Int) {
        set(name, JSONFragment { $0.integer(number) })
    }

    mutating func set(_ name: String, _ flag: Bool) {
        set(name, JSONFragment { $0.bool(flag) })
    }

    mutating func set(_ name: String, _ value: JSONFragment) { self[name] = value }
}
