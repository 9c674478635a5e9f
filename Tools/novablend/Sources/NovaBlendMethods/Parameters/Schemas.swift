import JSON
import JSONRPC

/// The schemas that methods share.
package enum Schemas {
    /// The names of the parameters that are personal. Members of results with these names are, too.
    package static let personal = Set(
        AppointmentMethods.bookingParameters.filter(\.isPersonal).map(\.name)
    )

    /// The property that describes the source and the age of a list.
    static let provenance = ObjectSchema.Property(
        "provenance",
        .object(
            ObjectSchema([
                .init("source", .string(in: ["server", "revalidated", "cache", "none"])),
                .optional(
                    "complete",
                    .boolean.defaulting { $0.bool(true) },
                    "false if the list has gaps"
                ),
                .optional("fetchedAt", .dateTime),
                .optional("ageSeconds", .integer),
                .optional("expiresAt", .dateTime),
                .optional("serverError", .string, "why the server could not be used"),
                .optional("cacheError", .string, "why the cache failed"),
                .optional("warning", .string, "what to know before using the data"),
            ]).named("Provenance")
        ),
        "where it came from, and how old it is"
    )

    /// The properties of a page of a list that this program divides.
    static let page: [ObjectSchema.Property] = [
        .init("total", .integer, "the number on all pages"),
        .optional("nextCursor", .string, "the next page's cursor"),
    ]
}

extension JSONSchema {
    /// An integer of at least 1.
    static let positive = integer.adding("minimum", JSONFragment { $0.integer(1) })
    /// The schema of a member whose absence means a value.
    func defaulting(to value: (inout JSONWriter) -> Void) -> JSONSchema {
        adding("default", JSONFragment(value))
    }

    /// The schema of a date (ISO 8601).
    static let date = string.adding("format", JSONFragment { $0.string("date") })
    /// The schema of a time with its offset (RFC 3339).
    static let dateTime = string.adding("format", JSONFragment { $0.string("date-time") })
    /// The schema of an array of such times, which is empty if it is absent.
    static let times = array(of: dateTime).defaulting { $0.array { _ in } }
    /// The schema of a UUID.
    static let uuid = string.adding("format", JSONFragment { $0.string("uuid") })
}

extension Method.Result {
    /// Describes a result with these members.
    init(_ name: String, _ summary: String, _ properties: [ObjectSchema.Property]) {
        self.init(name, summary, schema: ObjectSchema(properties))
    }
}

extension Method.Parameter {
    /// Describes a parameter, which is a string unless `schema` says something else.
    init(
        _ name: String,
        _ summary: String,
        isRequired: Bool = false,
        _ schema: @escaping @autoclosure @Sendable () -> JSONSchema = .string
    ) {
        self.init(name, summary, isRequired: isRequired, schema: schema())
    }

    /// Describes a parameter that is a text for people.
    static func freeText(_ name: String, _ summary: String) -> Method.Parameter {
        var parameter = Method.Parameter(name, summary)
        parameter.isFreeText = true
        return parameter
    }
}

extension Method.Parameter {
    private enum PersonalKey: Annotations.Key { typealias Value = Bool }

    /// Whether the value is personal or secret: it is not logged, and hidden in a trace whatever it is.
    var isPersonal: Bool { annotations[PersonalKey.self] ?? false }

    /// This parameter, with a personal or secret value.
    var personal: Self {
        var parameter = self
        parameter.annotations[PersonalKey.self] = true
        return parameter
    }
}
