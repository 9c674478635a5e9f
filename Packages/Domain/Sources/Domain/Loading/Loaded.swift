/// A loaded value and its provenance.
public struct Loaded<Value: Sendable>: Sendable {
    /// The value.
    public var value: Value
    /// The source and the age of the value.
    public var provenance: Provenance

    /// Creates a loaded value.
    public init(value: Value, provenance: Provenance) {
        self.value = value
        self.provenance = provenance
    }
}
