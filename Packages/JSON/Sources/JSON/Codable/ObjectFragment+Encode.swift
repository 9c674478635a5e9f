extension ObjectFragment {
    /// Encodes a value of an `Encodable` type with keys. See ``JSONFragment/init(encoding:)``.
    ///
    /// - Throws: ``JSONError``, also `mismatch` if the value is not encoded as an object. Any other
    ///   error that an `encode(to:)` throws is rethrown.
    public init(encoding value: some Encodable) throws {
        let fragment = try JSONFragment(encoding: value)
        guard fragment.bytes.first == UInt8(ascii: "{") else {
            throw JSONError.mismatch(path: "", expected: "an object")
        }
        self.fragment = fragment
    }
}
