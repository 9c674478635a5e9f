/// Values that other libraries attach to a method or a parameter. This library stores them and never
/// reads them.
///
/// A type is the key of each kind of value:
///
///     enum Icon: Annotations.Key { typealias Value = String }
///     method.annotations[Icon.self] = "hammer"
public struct Annotations: Sendable {
    /// Names one kind of value.
    public protocol Key {
        /// The type of the value.
        associatedtype Value: Sendable
    }

    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// No values.
    public init() {}

    /// The value for `key`; nil if there is none.
    public subscript<K: Key>(key: K.Type) -> K.Value? {
        get { values[ObjectIdentifier(key)] as? K.Value }
        set { values[ObjectIdentifier(key)] = newValue }
    }
}
