import JSON

/// A JSON value that a test can change.
indirect enum JSONTree: Sendable, Equatable {
    case object([Member]), array([JSONTree]), string(String), integer(Int), number(Double)
    case bool(Bool), null

    struct Member: Sendable, Equatable {
        var key: String
        var value: JSONTree
    }

    init(_ value: JSONValue) throws {
        switch value.kind {
        case .object:
            self = .object(try value.object().map { Member(key: $0, value: try JSONTree($1)) })
        case .array: self = .array(try value.array().map { try JSONTree($0) })
        case .string: self = .string(try value.string())
        case .number:
            let integer = try? value.integer()
            self = try integer.map { .integer($0) } ?? .number(value.number())
        case .bool: self = .bool(try value.bool())
        case .null: self = .null
        }
    }

    init(_ text: String) throws {
        try self.init(JSONDocument(parsing: Array(text.utf8)).root)
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .object(let members):
            writer.object { writer in
                for member in members {
                    writer.key(member.key)
                    member.value.write(to: &writer)
                }
            }
        case .array(let elements):
            writer.array { writer in
                for element in elements { element.write(to: &writer) }
            }
        case .string(let text): writer.string(text)
        case .integer(let number): writer.integer(number)
        case .number(let number): writer.number(number)
        case .bool(let value): writer.bool(value)
        case .null: writer.null()
        }
    }

    var bytes: [UInt8] { JSONFragment { write(to: &$0) }.bytes }

    /// The number; nil for other kinds.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// The value of a member; nil if this is not an object or has no such member.
    subscript(key: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// This value with one value in it replaced by `replacement`, or with one member removed, once
    /// for each value and member.
    func variants(replacingWith replacement: JSONTree) -> [JSONTree] {
        var variants = [replacement]
        switch self {
        case .object(let members):
            for index in members.indices {
                variants += members[index].value.variants(replacingWith: replacement).map {
                    var members = members
                    members[index].value = $0
                    return .object(members)
                }
                var rest = members
                rest.remove(at: index)
                variants.append(.object(rest))
            }
        case .array(let elements):
            for index in elements.indices {
                variants += elements[index].variants(replacingWith: replacement).map {
                    var elements = elements
                    elements[index] = $0
                    return .array(elements)
                }
            }
        default: break
        }
        return variants
    }
}
