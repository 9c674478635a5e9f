/// An encoded JSON object. Results that a protocol requires to be objects have this type.
public struct ObjectFragment: Sendable, Hashable {
    /// The object as an encoded value.
    public let fragment: JSONFragment

    /// Encodes an object with the members that `body` writes.
    ///
    /// - Throws: The error of `body`.
    @inlinable
    public init<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        fragment = try .object(body)
    }

    /// Encodes a value of any `Encodable` type that is encoded as an object, as
    /// ``JSONFragment/init(encoding:)`` does.
    ///
    /// - Throws: ``JSONError``, `mismatch` if the value is not encoded as an object. Any other error
    ///   that an `encode(to:)` throws is rethrown.
    public init(encoding value: some Encodable) throws {
        try self.init(JSONFragment(encoding: value))
    }

    /// Creates an object from an encoded value that is an object.
    ///
    /// - Throws: ``JSONError``, `mismatch` for any other value.
    public init(_ fragment: JSONFragment) throws(JSONError) {
        guard fragment.isObject else { throw .mismatch(path: "", expected: "an object") }
        self.fragment = fragment
    }

    /// The empty object, `{}`.
    public static let empty = ObjectFragment { _ in }
}

extension ObjectFragment: CustomStringConvertible {
    /// The encoded object as text.
    public var description: String { fragment.description }
}
