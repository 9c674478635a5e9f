extension JSONFragment {
    /// Encodes a value of any `Encodable` type.
    ///
    /// Members are written in the order in which the type encodes them, under their keys as
    /// declared. Optional properties without a value are omitted. `Data`, `Date`, and other types
    /// of Foundation have the form that they have for encoders in general, such as an array of
    /// bytes.
    ///
    /// - Parameter value: The value; at most 512 levels of values in values.
    /// - Throws: ``JSONError`` with the path of the value: `mismatch` for a number that is not
    ///   finite, `tooDeep`, and `invalid` if its type rejects it with an `EncodingError`. Any other
    ///   error that an `encode(to:)` throws is rethrown.
    public init(encoding value: some Encodable) throws {
        let context = EncodingContext(path: [], depth: 0)
        do {
            try context.encode(value)
        } catch let error as EncodingError {
            throw JSONError(error)
        }
        self = try context.finish()
    }
}

extension JSONError {
    /// The error for one that an `Encodable` type throws.
    init(_ error: EncodingError) {
        switch error {
        case .invalidValue(_, let context):
            let path = JSONPath(context.codingPath)
            self = .invalid(path: path, reason: context.debugDescription)
        @unknown default: self = .invalid(path: "", reason: String(describing: error))
        }
    }
}
