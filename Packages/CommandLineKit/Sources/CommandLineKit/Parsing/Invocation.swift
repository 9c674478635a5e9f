/// A parsed command line: a command with the values of its arguments and options.
public struct Invocation: Sendable {
    /// The program that the command belongs to.
    public let program: Program
    /// The command.
    public let command: Command
    let arguments: [String]
    var options: [String: String]

    /// The value of an option; empty if it was given without a value, nil if it was not given.
    public func option(_ name: String) -> String? { options[name] }

    /// Whether an option was given.
    public func has(_ name: String) -> Bool { options[name] != nil }

    /// The same invocation, with values for options of the command that were not given. A flag has an
    /// empty value.
    public func withDefaults(_ values: [String: String]) -> Invocation {
        let names = Set(command.allOptions.map(\.name))
        var invocation = self
        invocation.options.merge(values.filter { names.contains($0.key) }) { given, _ in given }
        return invocation
    }

    /// The value of an argument; nil if it was not given.
    public func argument(_ name: String) -> String? {
        guard let index = command.arguments.firstIndex(where: { $0.name == name }),
            index < arguments.count
        else { return nil }
        return arguments[index]
    }
}
