import JSON

/// Validates values against JSON Schemas (2020-12) with the keywords that the codecs use. Any other
/// keyword is an error, so that none is ignored.
struct SchemaValidator {
    struct UnknownKeyword: Error { var keyword: String }

    /// The expressions of the patterns so far. Compiling one is slow.
    private final class Patterns {
        private var expressions: [String: Regex<AnyRegexOutput>] = [:]

        func expression(of pattern: String) throws -> Regex<AnyRegexOutput> {
            if let known = expressions[pattern] { return known }
            let expression = try Regex(pattern)
            expressions[pattern] = expression
            return expression
        }
    }

    private let schema: JSONTree
    private let components: JSONTree
    private let patterns = Patterns()

    /// Creates a validator for the schema as a document would contain it.
    init(_ schema: JSONSchema) throws {
        var components = SchemaComponents()
        self.schema = try JSONTree(components.reference(to: schema).description)
        self.components = try JSONTree(components.fragment.description)
    }

    func accepts(_ value: JSONTree) throws -> Bool { try accepts(value, schema) }

    private func accepts(_ value: JSONTree, _ schema: JSONTree) throws -> Bool {
        guard case .object(let keywords) = schema else { return false }
        return try keywords.allSatisfy { try accepts(value, $0.key, $0.value, in: schema) }
    }

    private func accepts(
        _ value: JSONTree,
        _ keyword: String,
        _ operand: JSONTree,
        in schema: JSONTree
    ) throws -> Bool {
        switch (keyword, operand, value) {
        case ("description", _, _), ("default", _, _): true
        case ("$ref", .string(let name), _):
            try accepts(value, try resolve(name))
        case ("anyOf", .array(let schemas), _):
            try schemas.contains { try accepts(value, $0) }
        case ("const", _, _): value == operand
        case ("enum", .array(let values), _): values.contains(value)
        case ("type", .string(let type), _): value.isOfType(type)
        case ("properties", .object(let properties), .object(let members)):
            try members.allSatisfy { member in
                guard let property = properties.first(where: { $0.key == member.key })
                else { return true }
                return try accepts(member.value, property.value)
            }
        case ("required", .array(let keys), .object(let members)):
            keys.allSatisfy { key in members.contains { .string($0.key) == key } }
        case ("items", _, .array(let elements)):
            try elements.allSatisfy { try accepts($0, operand) }
        case ("minItems", .integer(let count), .array(let elements)): elements.count >= count
        case ("maxItems", .integer(let count), .array(let elements)): elements.count <= count
        case ("additionalProperties", .bool(false), .object(let members)):
            members.allSatisfy { schema["properties"]?[$0.key] != nil }
        case ("pattern", .string(let pattern), .string(let text)):
            try patterns.expression(of: pattern).firstMatch(in: text) != nil
        case ("minLength", .integer(let length), .string(let text)):
            text.unicodeScalars.count >= length
        case ("maxLength", .integer(let length), .string(let text)):
            text.unicodeScalars.count <= length
        case ("exclusiveMaximum", _, _):
            value.number.map { $0 < (operand.number ?? -.infinity) } ?? true
        case ("minimum", _, _): value.number.map { $0 >= (operand.number ?? .infinity) } ?? true
        case ("maximum", _, _):
            value.number.map { $0 <= (operand.number ?? -.infinity) } ?? true
        case ("properties", _, _), ("required", _, _), ("items", _, _), ("pattern", _, _),
            ("minLength", _, _), ("maxLength", _, _), ("minItems", _, _), ("maxItems", _, _),
            ("additionalProperties", .bool(false), _):
            // These keywords apply to one type only.
            true
        default: throw UnknownKeyword(keyword: keyword)
        }
    }

    private func resolve(_ reference: String) throws -> JSONTree {
        let name = String(reference.dropFirst("#/components/schemas/".count))
        guard let schema = components[name] else { throw UnknownKeyword(keyword: reference) }
        return schema
    }
}

extension JSONTree {
    fileprivate func isOfType(_ type: String) -> Bool {
        switch (type, self) {
        case ("object", .object), ("array", .array), ("string", .string), ("integer", .integer),
            ("number", .integer), ("number", .number), ("boolean", .bool), ("null", .null):
            true
        default: false
        }
    }
}
