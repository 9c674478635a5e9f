extension JSONFragment {
    /// Encodes a value of any `Encodable` type.
    ///
    /// Members are written in the order in which the type encodes them, usually that of its
    /// `CodingKeys`, under their keys as declared. The members of a dictionary have no defined
    /// order. Optional properties without a value are omitted. `Date` becomes the seconds since
    /// 2001, `Data` an array of bytes, `URL` and `Decimal` objects; to write a different form, wrap
    /// them in a type of your own.
    ///
    /// - Parameter value: The value; at most 512 levels of values in values.
    /// - Throws: ``JSONError``: `tooDeep`, or with the path of the value, `mismatch` for a number that
    ///   is not finite, and `invalid` if its type rejects it with an `EncodingError` or encodes more
    ///   than one value for it. Any other error that an `encode(to:)` throws is rethrown.
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
    /// Creates the error for an `EncodingError` that an `Encodable` type throws.
    init(_ error: EncodingError) {
        switch error {
        case .invalidValue(_, let context):
            let path = JSONPath(context.codingPath)
            self = .invalid(path: path, reason: context.debugDescription)
        @unknown default: self = .invalid(path: "", reason: String(describing: error))
        }
    }
}
