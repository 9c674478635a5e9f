/// Records what a `Decodable` type reads, and gives it sample data.
final class SchemaRecorder {
    private enum Content {
        /// Nothing was read, so every value is accepted.
        case any
        case value(JSONSchema)
        case array(SchemaRecorder)
        case object([Member])
    }

    private struct Member {
        let name: String
        /// Whether the member is optional. A type asks whether an optional member is present before
        /// it reads the member.
        var isOptional: Bool
        let value = SchemaRecorder()
    }

    private static let maximumDepth = 32

    private var content = Content.any

    var schema: JSONSchema {
        switch content {
        case .any: return .any
        case .value(let schema): return schema
        case .array(let element): return .array(of: element.schema)
        case .object(let members):
            let properties = members.map {
                ObjectSchema.Property($0.name, $0.value.schema, isRequired: !$0.isOptional)
            }
            return .object(ObjectSchema(properties))
        }
    }

    /// Returns a sample of a type, and records its schema.
    func sample<Value: Decodable>(_ type: Value.Type, path: [any CodingKey]) throws -> Value {
        guard path.count < Self.maximumDepth else {
            throw JSONError.tooDeep(maximumDepth: Self.maximumDepth)
        }
        if let (sample, schema) = Self.known(type), let value = sample as? Value {
            content = .value(schema)
            return value
        }
        return try Value(from: SchemaDecoder(recorder: self, codingPath: path))
    }

    private static func known(_ type: Any.Type) -> (sample: Any, JSONSchema)? {
        switch type {
        case is Bool.Type: (false, .boolean)
        case is String.Type: ("", .string)
        case let integer as any FixedWidthInteger.Type: (integer.init(), .integer)
        case let number as any BinaryFloatingPoint.Type: (number.init(0), .number)
        case let cases as any CaseIterable.Type: known(cases: cases)
        default: nil
        }
    }

    private static func known<Cases: CaseIterable>(
        cases: Cases.Type
    ) -> (sample: Any, JSONSchema)? {
        let names = cases.allCases.compactMap {
            ($0 as? any RawRepresentable)?.rawValue as? String
        }
        guard let first = cases.allCases.first, names.count == cases.allCases.count else {
            return nil
        }
        return (first, .string(in: names))
    }

    func startObject() {
        if case .object = content { return }
        content = .object([])
    }

    /// Returns the recorder of the elements of an array.
    func startArray() -> SchemaRecorder {
        let element = SchemaRecorder()
        content = .array(element)
        return element
    }

    /// Returns the recorder of a member of an object.
    func member(_ name: String, isOptional: Bool = false) -> SchemaRecorder {
        guard case .object(var members) = content else { return SchemaRecorder() }
        if let known = members.first(where: { $0.name == name }) { return known.value }
        let member = Member(name: name, isOptional: isOptional)
        members.append(member)
        content = .object(members)
        return member.value
    }
}
