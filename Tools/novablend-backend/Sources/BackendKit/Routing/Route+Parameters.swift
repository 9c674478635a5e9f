import Contract
import Domain
import JSON

/// The parameters that several routes have.
extension Route.Parameter {
    static let salonID = Route.Parameter(
        name: "id",
        location: .path,
        summary: "The id of the salon.",
        isRequired: true,
        schema: SalonIDCodec.schema
    )
    static let appointmentID = Route.Parameter(
        name: "id",
        location: .path,
        summary: "The id of the appointment.",
        isRequired: true,
        schema: visibleText
    )
    static let limit = Route.Parameter(
        name: "limit",
        location: .query,
        summary: "The maximum number of elements on the page; larger values count as 1,000.",
        schema: JSONSchema.integer.adding("minimum", JSONFragment { $0.integer(1) })
    )
    static let cursor = Route.Parameter(
        name: "cursor",
        location: .query,
        summary: "The position from the Link of the previous page.",
        schema: .string(pattern: "^[A-Za-z0-9_-]+$")
    )
    static let ifMatch = Route.Parameter(
        name: "If-Match",
        location: .header,
        summary: "The entity tag of the version to change, or *.",
        isRequired: true,
        schema: .string
    )
    static let ifNoneMatch = Route.Parameter(
        name: "If-None-Match",
        location: .header,
        summary: "Entity tags of known versions: the response has no body if it has one of them.",
        schema: .string
    )
    static let idempotencyKey = Route.Parameter(
        name: "Idempotency-Key",
        location: .header,
        summary: "Makes it safe to repeat the request with the same key.",
        schema: idempotencyKeySchema
    )

    /// Text without control characters, which are rejected in every URL.
    static let visibleText = JSONSchema.string(pattern: #"^[^\x00-\x1F\x7F]+$"#)

    static let idempotencyKeySchema = JSONSchema.string(
        pattern: #"^[\x21-\x7E]+$"#,
        maximumLength: BookingRules.maximumKeyBytes
    )
}
