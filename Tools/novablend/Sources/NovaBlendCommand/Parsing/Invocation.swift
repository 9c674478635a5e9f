/// A command as it was typed.
struct Invocation: Sendable {
    let command: Command
    private let placed: [String]
    private let options: [String: String]

    init(_ command: Command, placed: [String] = [], options: [String: String] = [:]) {
        self.command = command
        self.placed = placed
        self.options = options
    }

    /// The value of an option, empty where it has none; nil when it was not given.
    func option(_ name: String) -> String? { options[name] }

    /// Whether a switch was given.
    func has(_ name: String) -> Bool { options[name] != nil }

    /// The value of an argument; nil when it was not given.
    func argument(_ name: String) -> String? {
        guard let place = command.arguments.firstIndex(where: { $0.name == name }),
            place < placed.count
        else { return nil }
        return placed[place]
    }

    /// How what became that parameter was typed; nil where it was not typed.
    func spelling(of parameter: String) -> String? {
        let argument = command.arguments.first { $0.parameter == parameter }
        if let argument, self.argument(argument.name) != nil { return argument.name }
        let option = command.options.first { $0.parameter == parameter && has($0.name) }
        return option.map { "--\($0.name)" }
    }
}
