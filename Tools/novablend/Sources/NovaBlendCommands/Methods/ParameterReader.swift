import CommandLineKit
import Domain
import Glibc
import JSON
import JSONRPC
import NovaBlendMethods
import SystemSupport

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
        let times = TypedTime(clock: salon?.clock, statesZone: salon?.zone != nil)
        var params = Parameters()
        for (input, value) in typed {
            guard let parameter = input.parameter else { continue }
            switch input.kind {
            case .flag: params.set(parameter, true)
            case .integer: params.set(parameter, JSONFragment(trusted: Array(value.utf8)))
            case .salon: params.set(parameter, salon?.id ?? value)
            case .time: params.set(parameter, try time(times.time, value, input))
            case .startTime: params.set(parameter, try time(times.startTime, value, input))
            case .endTime: params.set(parameter, try time(times.endTime, value, input))
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
            case .text, .choice, .appointment, .day: params.set(parameter, value)
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
        let listed = known?.appointments.first { $0.appointment.id == id }
        guard let salon = listed?.appointment.booking.salonID else { return nil }
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
