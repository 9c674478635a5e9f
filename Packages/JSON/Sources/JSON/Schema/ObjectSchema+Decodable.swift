extension ObjectSchema {
    /// Derives the schema of the objects from which `type` is decoded.
    ///
    /// Decodes a value of the type from sample data (`false`, 0, an empty string, the first case of
    /// an enumeration) and records the keys and types that it reads. So its `init(from:)` must
    /// accept such data. Properties that are optional are not required. An enumeration must be
    /// `CaseIterable` and have strings as its raw values.
    ///
    /// - Parameters:
    ///   - type: The type.
    ///   - summaries: The meanings of members, by key, in one sentence each.
    /// - Throws: ``JSONError``: `invalid` with the path of the member if the type rejects the
    ///   sample data or does not have the member of a summary, `tooDeep` if it contains itself,
    ///   `mismatch` if it is not decoded from an object.
    public init<Value: Decodable>(
        decoding type: Value.Type,
        summaries: [String: String] = [:]
    ) throws(JSONError) {
        let recorder = SchemaRecorder()
        do {
            _ = try recorder.sample(type, path: [])
        } catch let error as DecodingError {
            throw JSONError(error)
        } catch let error as JSONError {
            throw error
        } catch {
            throw .invalid(path: "", reason: String(describing: error))
        }
        guard case .object(var schema) = recorder.schema else {
            throw .mismatch(path: "", expected: "an object")
        }
        var unused = summaries
        for index in schema.properties.indices {
            let name = schema.properties[index].name
            schema.properties[index].summary = unused.removeValue(forKey: name)
        }
        if let key = unused.keys.min() {
            throw .invalid(path: JSONPath([.key(key)]), reason: "the type has no such member")
        }
        self = schema
    }
}
