import Glibc
import JSON

/// Makes the params of a call from what was typed, by the description of the command.
struct ParameterReader: Sendable {
    let invocation: Invocation
    let conversation: Conversation

    func read(for call: MethodCall) async throws(CommandFailure) -> Parameters {
        let command = invocation.command
        let typed =
            command.arguments.map { ($0.parameter, $0.kind, invocation.argument($0.name)) }
            + command.options.map { ($0.parameter, $0.kind, invocation.option($0.name)) }
        let salon = try await salon(in: typed)
        let times = TypedTime(clock: salon?.clock)
        var params = Parameters()
        for case (let name?, let kind, let value?) in typed {
            try Self.set(name, kind, value, salon, times, in: &params)
        }
        try call.prepare(invocation, times, &params)
        return params
    }

    private typealias Typed = (parameter: String?, kind: ValueKind?, value: String?)

    /// The salon that was named, or that of the appointment whose time is to be another.
    private func salon(in typed: [Typed]) async throws(CommandFailure) -> FoundSalon? {
        let finder = SalonFinder(conversation: conversation)
        if let name = typed.first(where: { $0.kind == .salon })?.value {
            return try await finder.find(name)
        }
        guard typed.contains(where: { $0.kind == .time && $0.value != nil }),
            let id = typed.first(where: { $0.kind == .appointment })?.value
        else { return nil }
        var params = Parameters()
        params.set("policy", "cacheFirst")
        let known = try? await conversation.call("appointments/list", params).object
        let appointment = known?.objects("appointments").first { $0.text("id") == id }
        guard let salon = appointment?.text("salonId") else { return nil }
        return try await finder.find(salon)
    }

    private static func set(
        _ name: String,
        _ kind: ValueKind?,
        _ value: String,
        _ salon: FoundSalon?,
        _ times: TypedTime,
        in params: inout Parameters
    ) throws(CommandFailure) {
        switch kind {
        case nil: params.set(name, true)
        case .integer: params.set(name, Int(value) ?? 0)
        case .salon: params.set(name, salon?.id ?? value)
        case .time: params.set(name, times.time(value))
        case .file:
            if !value.isEmpty { params.set(name, try absolute(value)) }
        default: params.set(name, value)
        }
    }

    private static func absolute(_ path: String) throws(CommandFailure) -> String {
        if path.hasPrefix("/") { return path }
        guard let here = getcwd(nil, 0) else {
            throw CommandFailure(.notRead, "the directory: \(String(cString: strerror(errno)))")
        }
        defer { free(here) }
        return String(cString: here) + "/" + path
    }
}
