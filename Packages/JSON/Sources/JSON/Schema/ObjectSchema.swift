/// The JSON Schema (2020-12) of an object.
public struct ObjectSchema: Sendable, Hashable {
    /// A member of the object.
    public struct Property: Sendable, Hashable {
        /// The key of the member.
        public var name: String
        /// The meaning of the member, in one sentence; nil if the name is clear enough.
        public var summary: String?
        /// The JSON Schema of the member.
        public var schema: JSONSchema
        /// Whether the member is always present.
        public var isRequired: Bool

        /// Creates a member.
        public init(
            _ name: String,
            _ schema: JSONSchema,
            _ summary: String? = nil,
            isRequired: Bool = true
        ) {
            self.name = name
            self.summary = summary
            self.schema = schema
            self.isRequired = isRequired
        }

        /// Returns a member that may be absent.
        public static func optional(
            _ name: String,
            _ schema: JSONSchema,
            _ summary: String? = nil
        ) -> Property {
            Property(name, schema, summary, isRequired: false)
        }

        /// The encoded schema, with ``summary`` as its description.
        public var described: JSONFragment {
            let schema = schema.fragment
            guard let summary else { return schema }
            return schema.addingMember("description", summary)
        }
    }

    /// The name under which a document defines the schema once; nil to write it inline.
    public var name: String?
    /// The members of the object.
    public var properties: [Property]
    /// Whether members that are not in ``properties`` are forbidden.
    public var isClosed: Bool

    /// Creates the schema of an object.
    public init(_ properties: [Property] = [], isClosed: Bool = false) {
        self.properties = properties
        self.isClosed = isClosed
    }

    /// Returns the schema with a name.
    public func named(_ name: String) -> ObjectSchema {
        var schema = self
        schema.name = name
        return schema
    }

    /// The encoded schema.
    public var fragment: JSONFragment {
        JSONFragment.object { writer in
            writeMembers(to: &writer)
            let required = properties.filter(\.isRequired).map(\.name)
            if !required.isEmpty { writer.member("required", required) }
        }
    }

    /// Writes the keywords of the schema except `required`.
    public func writeMembers(to writer: inout JSONWriter) {
        writer.member("type", "object")
        writer.object("properties") { writer in
            for property in properties { writer.member(named: property.name, property.described) }
        }
        if isClosed { writer.member("additionalProperties", false) }
    }
}
