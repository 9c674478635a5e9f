import JSON

/// The JSON Schemas of parameters and results.
enum Schemas {
    static let string = simple("string")
    static let integer = simple("integer")
    static let object = simple("object")
    static let time = simple("string", "format", "date-time")
    static let uuid = simple("string", "format", "uuid")

    static func simple(_ type: String, _ key: StaticString? = nil, _ value: String = "")
        -> JSONFragment
    {
        JSONFragment { writer in
            writer.object { writer in
                writer.member("type", type)
                if let key { writer.member(key, value) }
            }
        }
    }

    static func oneOf(_ values: [String]) -> JSONFragment {
        JSONFragment { writer in
            writer.object { writer in
                writer.member("type", "string")
                writer.key("enum")
                writer.array { writer in
                    for value in values { writer.string(value) }
                }
            }
        }
    }
}
