import JSON

extension ModelCodec {
    /// Reads an array. Throws a `mismatch` with the path of an invalid value.
    static func readList(_ value: JSONValue) throws(JSONError) -> [Model] {
        var models: [Model] = []
        for element in try value.array() { models.append(try read(element)) }
        return models
    }

    /// Writes an array.
    static func writeList(_ models: [Model], to writer: inout JSONWriter) {
        writer.array { writer in
            for model in models { write(model, to: &writer) }
        }
    }
}
