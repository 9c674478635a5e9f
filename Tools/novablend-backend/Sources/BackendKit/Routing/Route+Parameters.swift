import Contract
import Domain
import JSON

/// The parameters that several routes have.
extension Route.Parameter {
    static let salonID = Self("id", in: .path, SalonIDCodec.schema, "The id of the salon.")
    static let appointmentID = Self("id", in: .path, visibleText, "The id of the appointment.")
    static let limit = Self(
        "limit",
        in: .query,
        JSONSchema.integer.adding("minimum", JSONFragment { $0.integer(1) }),
        "The maximum number of elements on the page; larger values count as 1,000."
    )
    static let cursor = Self(
        "cursor",
        in: .query,
        cursorText,
        "The position from the Link of the previous page."
    )
    static let ifMatch = Self(
        "If-Match",
        in: .header,
        .string,
        "The entity tag of the version to change, or *.",
        isRequired: true
    )
    static let ifNoneMatch = Self(
        "If-None-Match",
        in: .header,
        .string,
        "Entity tags of known versions: the response has no body if it has one of them."
    )
    static let idempotencyKey = Self(
        "Idempotency-Key",
        in: .header,
        idempotencyKeySchema,
        "Makes it safe to repeat the request with the same key."
    )

    /// The text of a cursor.
    static let cursorText = JSONSchema.string(pattern: "^[A-Za-z0-9_-]+$")

    /// Text without control characters, which are rejected in every URL.
    static let visibleText = JSONSchema.string(pattern: #"^[^\x00-\x1F\x7F]+$"#)

    static let idempotencyKeySchema = JSONSchema.string(
        pattern: #"^[\x21-\x7E]+$"#,
        maximumLength: BookingRules.maximumKeyBytes
    )
}
