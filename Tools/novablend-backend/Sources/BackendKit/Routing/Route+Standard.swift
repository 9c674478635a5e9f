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
        "The maximum number of elements on the page. For salons and appointments, it is at most 1,000."
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
        "Entity tags of known versions: the response has no body if the current version is one of them."
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

/// The responses that several routes have.
extension Route.Success {
    /// A page of a list. `isFollowed`: the feed has its changes.
    static func page(
        _ schema: JSONSchema,
        _ summary: String,
        isFollowed: Bool = false
    ) -> Route.Success {
        Route.Success(
            status: 200,
            summary: summary,
            content: .json(schema),
            headers: [.entityTag, .link] + (isFollowed ? [.changesCursor] : [])
        )
    }

    /// Something with a version.
    static func entity(_ schema: JSONSchema, _ summary: String) -> Route.Success {
        Route.Success(
            status: 200,
            summary: summary,
            content: .json(schema),
            headers: [.entityTag]
        )
    }

    /// Something new with a version.
    static func created(
        _ schema: JSONSchema,
        _ summary: String,
        links: [Route.Link]
    ) -> Route.Success {
        Route.Success(
            status: 201,
            summary: summary,
            content: .json(schema),
            headers: [.entityTag, .location],
            links: links
        )
    }

    /// The response to a conditional request if the client has the current version.
    static let notModified = Route.Success(
        status: 304,
        summary: "The client has the current version.",
        headers: [.entityTag]
    )
}

extension Route {
    /// All parameters, including those of conditional requests.
    var allParameters: [Parameter] {
        method == "GET" ? parameters + [.ifNoneMatch] : parameters
    }

    /// All responses to requests that succeed.
    var allSuccesses: [Success] {
        method == "GET" ? successes + [.notModified] : successes
    }

    /// All errors, including those that any route can have.
    var allProblems: [ErrorKind] {
        var kinds = problems
        if body != nil { kinds += [.unsupportedMediaType, .tooLarge] }
        if method != "GET" { kinds.append(.foreignOrigin) }
        if !isAlwaysServed { kinds += [.notAuthenticated, .foreignHost] }
        return kinds
            + [
                .tooManyRequests, .malformedRequest, .internalError, .overloaded, .stopping,
                .closing,
            ]
    }
}
