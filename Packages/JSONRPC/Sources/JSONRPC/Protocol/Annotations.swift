/// Values that other libraries attach to a method or a parameter. This library does not use them.
///
/// Each key is a type that declares the type of its value:
///
///     enum Icon: Annotations.Key { typealias Value = String }
///     method.annotations[Icon.self] = "hammer"
public struct Annotations: Sendable {
    /// A key, and the type of its value.
    public protocol Key {
        /// The type of the values with this key.
        associatedtype Value: Sendable
    }

    private struct Entry: Sendable {
        var key: ObjectIdentifier
        var value: any Sendable
    }

    // The values are in an array, because a method has only a few, and a dictionary would slow down
    // startup.
    private var entries: [Entry] = []

    /// Creates an empty collection.
    public init() {}

    /// The value for `key`, or nil.
    public subscript<K: Key>(key: K.Type) -> K.Value? {
        get { entries.first { $0.key == ObjectIdentifier(key) }?.value as? K.Value }
        set {
            entries.removeAll { $0.key == ObjectIdentifier(key) }
            if let newValue { entries.append(Entry(key: ObjectIdentifier(key), value: newValue)) }
        }
    }
}
