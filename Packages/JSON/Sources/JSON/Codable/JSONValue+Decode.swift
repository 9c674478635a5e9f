extension JSONValue {
    /// Decodes a value of any `Decodable` type.
    ///
    /// Keys are used as declared. Members without a property are ignored. If an object has a key
    /// more than once, one of its values is decoded. A number such as 1.0 can be decoded as an
    /// integer; an integer that does not fit is an error. `Date`, `Data`, `URL`, and `Decimal` are
    /// decoded from what ``JSONFragment/init(encoding:)`` writes for them; to read a different form,
    /// wrap them in a type of your own.
    ///
    /// - Parameter type: The type of the result. It can be omitted where the compiler knows it.
    /// - Throws: ``JSONError`` with the path of the value, `mismatch` if it is missing or has
    ///   another type, and `invalid` if its type rejects it with a `DecodingError`. Any other
    ///   error that an `init(from:)` throws is rethrown.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        let decoder = ValueDecoder(context: DecodingContext(document), index: index, depth: 0)
        do { return try Value(from: decoder) } catch let error as DecodingError {
            throw JSONError(error)
        }
    }
}

extension JSONError {
    /// Creates the error for a `DecodingError` that a `Decodable` type throws.
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self = .mismatch(path: JSONPath(context.codingPath + [key]), expected: "present")
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .dataCorrupted(let context):
            let path = JSONPath(context.codingPath)
            self = .invalid(path: path, reason: context.debugDescription)
        @unknown default: self = .invalid(path: "", reason: String(describing: error))
        }
    }
}

extension JSONPath {
    init(_ codingPath: [any CodingKey]) {
        self.init(codingPath.map { $0 as? PathStep ?? .key($0.stringValue) })
    }
}
