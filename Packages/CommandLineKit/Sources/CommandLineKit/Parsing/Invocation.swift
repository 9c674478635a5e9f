/// A parsed command line: a command with the values of its arguments and options.
public struct Invocation: Sendable {
    /// The program that the command belongs to.
    public let program: Program
    /// The command to run.
    public let command: Command
    /// The values of the options.
    public internal(set) var options: OptionValues
    /// The values of the arguments in order. While a command line is being typed, an invalid value
    /// is nil.
    let arguments: [(any Sendable)?]

    /// The value of an option; nil if it was not given, or given without a value.
    public subscript<Value>(option: Option<Value>) -> Value? { options[option] }

    /// The value of an argument; nil if it was not given.
    public subscript<Value>(argument: Argument<Value>) -> Value? {
        guard let index = command.arguments.firstIndex(where: { $0.name == argument.name }),
            index < arguments.count
        else { return nil }
        return arguments[index] as? Value
    }

    /// Whether an option was given.
    public func has(_ option: any CommandOption) -> Bool { options.has(option) }

    /// The value of a required option. Throws `usage` if it was not given.
    public func required<Value>(_ option: Option<Value>) throws(CommandError) -> Value {
        guard let value = self[option] else { throw missing(option) }
        return value
    }

    /// The value of a required argument. Throws `usage` if it was not given.
    public func required<Value>(_ argument: Argument<Value>) throws(CommandError) -> Value {
        guard let value = self[argument] else { throw missing(argument) }
        return value
    }

    /// Returns this invocation with `values` for those options of the command that were not given.
    public func withDefaults(_ values: OptionValues) -> Invocation {
        let names = Set(command.allOptions.map(\.name))
        var defaults = values
        defaults.values = values.values.filter { names.contains($0.key) }
        var invocation = self
        invocation.options = defaults.merging(options)
        return invocation
    }

    func missing(_ option: any CommandOption) -> CommandError {
        .usage("\(command.name) requires \(option.spelling)", of: self)
    }

    func missing(_ argument: any CommandArgument) -> CommandError {
        .usage("missing \(argument.name): \(argument.summary)", of: self)
    }
}

/// The values of options, which were parsed once.
public struct OptionValues: Sendable {
    /// Stands for the value of an option that was given without a value.
    struct Omitted: Sendable {}

    /// The values by the names of their options.
    var values: [String: any Sendable] = [:]

    /// Creates an empty collection.
    public init() {}

    /// The value of an option; nil if it was not given, or given without a value.
    public subscript<Value>(option: Option<Value>) -> Value? { values[option.name] as? Value }

    /// Whether an option was given.
    public func has(_ option: any CommandOption) -> Bool { values[option.name] != nil }

    /// Removes the values of some options.
    public mutating func remove(_ options: [any CommandOption]) {
        for option in options { values[option.name] = nil }
    }

    /// Returns these values combined with `other`, which takes precedence.
    public func merging(_ other: OptionValues) -> OptionValues {
        var merged = self
        merged.values.merge(other.values) { $1 }
        return merged
    }
}
