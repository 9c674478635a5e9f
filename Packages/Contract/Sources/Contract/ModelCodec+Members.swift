public import JSON

extension JSONWriter {
    /// Writes a member with the JSON form of `model`.
    @inlinable @inline(__always)
    public mutating func member<Codec: ModelCodec>(
        _ key: StaticString,
        _ model: Codec.Model,
        as codec: Codec.Type
    ) {
        self.key(key)
        Codec.write(model, to: &self)
    }

    /// Writes a member with the JSON form of `model`, or nothing if it is nil.
    @inlinable @inline(__always)
    public mutating func member<Codec: ModelCodec>(
        _ key: StaticString,
        _ model: Codec.Model?,
        as codec: Codec.Type
    ) {
        if let model { member(key, model, as: codec) }
    }

    /// Writes a member with a list of `models`, or nothing if it is nil.
    mutating func member<Codec: ModelCodec>(
        _ key: StaticString,
        _ models: [Codec.Model]?,
        listAs codec: Codec.Type
    ) {
        guard let models else { return }
        self.key(key)
        array { writer in
            for model in models { Codec.write(model, to: &writer) }
        }
    }
}

extension ModelCodec {
    /// Reads an array of models.
    static func readList(_ value: JSONValue) throws(JSONError) -> [Model] {
        var models: [Model] = []
        for element in try value.array() { models.append(try read(element)) }
        return models
    }
}
