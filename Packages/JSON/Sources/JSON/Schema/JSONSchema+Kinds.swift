/// The schemas of strings, numbers, and the other simple values.
extension JSONSchema {
    /// The schema of any value.
    public static let any = encoded(.emptyObject)
    /// The schema of any string.
    public static let string = simple("string")
    /// The schema of any integer.
    public static let integer = simple("integer")
    /// The schema of any number.
    public static let number = simple("number")
    /// The schema of `true` and `false`.
    public static let boolean = simple("boolean")
    /// The schema of `null` only.
    public static let null = simple("null")

    /// Whether the schema states only a type: whether it is ``string``, ``integer``, ``number``,
    /// ``boolean``, or ``null``.
    public var isSimple: Bool { Self.simpleSchemas.contains(self) }

    private static let simpleSchemas = [string, integer, boolean, number, null]

    /// The schema of strings that match a regular expression (ECMA-262). Lengths are in code
    /// points.
    public static func string(
        pattern: String? = nil,
        minimumLength: Int? = nil,
        maximumLength: Int? = nil
    ) -> JSONSchema {
        encoded(
            JSONFragment.object { writer in
                writer.member("type", "string")
                writer.member("pattern", pattern)
                writer.member("minLength", minimumLength)
                writer.member("maxLength", maximumLength)
            }
        )
    }

    /// The schema of these strings.
    public static func string(in values: [String]) -> JSONSchema {
        string.adding("enum", values)
    }

    /// The schema of integers in a range.
    public static func integer(in range: ClosedRange<Int>) -> JSONSchema {
        integer.adding("minimum", range.lowerBound).adding("maximum", range.upperBound)
    }

    /// The schema of numbers in a range.
    public static func number(in range: Range<Double>) -> JSONSchema {
        number.adding("minimum", range.lowerBound).adding("exclusiveMaximum", range.upperBound)
    }

    /// The schema of a single value.
    public static func constant(_ value: JSONFragment) -> JSONSchema {
        encoded(.emptyObject).adding("const", value)
    }

    /// Returns the encoded schema with an additional keyword.
    public func adding(_ keyword: String, _ value: some JSONWritable) -> JSONSchema {
        .encoded(fragment.addingMember(keyword, value))
    }

    private static func simple(_ type: String) -> JSONSchema {
        encoded(JSONFragment.object { $0.member("type", type) })
    }
}
