/// A value and where it came from.
public struct Loaded<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// Where it came from.
    public var provenance: Provenance

    /// Makes a loaded value.
    public init(value: Value, provenance: Provenance) {
        self.value = value
        self.provenance = provenance
    }
}
