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
