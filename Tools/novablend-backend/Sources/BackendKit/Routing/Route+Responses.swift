import JSON

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
    var allProblems: [Problem.Kind] {
        var kinds = problems
        if body != nil { kinds += [.unsupportedMediaType, .tooLarge] }
        if method != "GET" { kinds.append(.foreignOrigin) }
        if !isAlwaysServed { kinds += [.notAuthenticated, .foreignHost] }
        return kinds
            + [.tooManyRequests, .malformedRequest, .internalError, .overloaded, .stopping]
    }
}
