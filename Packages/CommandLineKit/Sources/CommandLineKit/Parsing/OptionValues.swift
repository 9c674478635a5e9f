/// The values of options, which were parsed once.
public struct OptionValues: Sendable {
    /// What an option without a value has instead.
    struct Omitted: Sendable {}

    /// The values by the name of the option.
    var values: [String: any Sendable] = [:]

    /// Creates values without any.
    public init() {}

    /// The value of an option; nil if it was not given, or given without a value.
    public subscript<Value>(option: Option<Value>) -> Value? { values[option.name] as? Value }

    /// Whether an option was given.
    public func has(_ option: any CommandOption) -> Bool { values[option.name] != nil }

    /// Removes the values of some options.
    public mutating func remove(_ options: [any CommandOption]) {
        for option in options { values[option.name] = nil }
    }

    /// These values and others, which take precedence.
    public func merging(_ other: OptionValues) -> OptionValues {
        var merged = self
        merged.values.merge(other.values) { $1 }
        return merged
    }
}
