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

    private struct Entry: Sendable {
        var key: ObjectIdentifier
        var value: any Sendable
    }

    // A dictionary would cost more at startup than it saves: a method has a few values at most.
    private var entries: [Entry] = []

    /// No values.
    public init() {}

    /// The value for `key`; nil if it was not set.
    public subscript<K: Key>(key: K.Type) -> K.Value? {
        get { entries.first { $0.key == ObjectIdentifier(key) }?.value as? K.Value }
        set {
            entries.removeAll { $0.key == ObjectIdentifier(key) }
            if let newValue { entries.append(Entry(key: ObjectIdentifier(key), value: newValue)) }
        }
    }
}
