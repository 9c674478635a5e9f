import BookingStorage
import Contract
import JSON

/// The description of one route.
extension Route {
    func describe(_ components: inout SchemaComponents) -> JSONFragment {
        let parameters = allParameters.map(Self.fragment)
        let body = body.map { body in Self.fragment(of: body, &components) }
        let responses = responses(&components)
        return ObjectFragment { writer in
            writer.member("operationId", name)
            writer.member("summary", summary)
            if !parameters.isEmpty { writer.member("parameters", parameters) }
            writer.member("requestBody", body)
            writer.member("responses", responses)
            if access != .public { writer.member("security", Self.security) }
        }.fragment
    }

    /// A token, or nothing: as long as the database has no tokens, and for what is public.
    private static let security = [
        JSONFragment.emptyObject,
        ObjectFragment { $0.member(OpenAPIDocument.tokenScheme, [String]()) }.fragment,
    ]

    private static func fragment(of parameter: Parameter) -> JSONFragment {
        ObjectFragment { writer in
            writer.member("name", parameter.name)
            writer.member("in", parameter.location.rawValue)
            writer.member("description", parameter.summary)
            if parameter.isRequired { writer.member("required", true) }
            writer.member("schema", parameter.schema.fragment)
        }.fragment
    }

    private static func fragment(
        of body: Body,
        _ components: inout SchemaComponents
    ) -> JSONFragment {
        let schema = components.reference(to: body.schema)
        return ObjectFragment { writer in
            writer.member("description", body.summary)
            writer.member("required", true)
            writer.content("application/json", schema)
        }.fragment
    }

    private func responses(_ components: inout SchemaComponents) -> JSONFragment {
        var responses: [(status: Int, JSONFragment)] = []
        for success in allSuccesses {
            responses.append((success.status, Self.fragment(of: success, &components)))
        }
        let kinds = Dictionary(grouping: allProblems, by: \.status)
        for (status, kinds) in kinds.sorted(by: { $0.key < $1.key }) {
            responses.append((status, Self.fragment(of: kinds, &components)))
        }
        return ObjectFragment { writer in
            for (status, response) in responses { writer.member(named: "\(status)", response) }
        }.fragment
    }

    private static func fragment(
        of success: Success,
        _ components: inout SchemaComponents
    ) -> JSONFragment {
        var content: (type: String, schema: JSONFragment)?
        switch success.content {
        case .json(let schema): content = ("application/json", components.reference(to: schema))
        case .png: content = ("image/png", JSONFragment.emptyObject)
        case .empty: break
        }
        return ObjectFragment { writer in
            writer.member("description", success.summary)
            writer.headers(success.headers)
            if let content { writer.content(content.type, content.schema) }
            writer.links(success.links)
        }.fragment
    }

    /// The response with one of several errors that have the same status. The description names the
    /// errors. All errors share one schema, because each schema would become a separate type in
    /// every generated client.
    private static func fragment(
        of kinds: [ErrorKind],
        _ components: inout SchemaComponents
    ) -> JSONFragment {
        let problem = components.reference(to: Problem.schema)
        var headers: [ResponseHeader] = kinds.contains { $0.isTemporary } ? [.retryAfter] : []
        if kinds.contains(.notAuthenticated) { headers.append(.challenge) }
        if kinds.contains(.unsupportedMediaType) { headers.append(.acceptedCodings) }
        return ObjectFragment { writer in
            writer.member("description", kinds.map(\.rawValue).joined(separator: ", "))
            writer.headers(headers)
            writer.content("application/json", problem)
        }.fragment
    }
}

extension JSONWriter {
    fileprivate mutating func content(_ type: String, _ schema: JSONFragment) {
        key("content")
        object { writer in
            writer.key(type)
            writer.object { $0.member("schema", schema) }
        }
    }

    fileprivate mutating func links(_ links: [Route.Link]) {
        if links.isEmpty { return }
        key("links")
        object { writer in
            for link in links {
                writer.key(link.name)
                writer.object { writer in
                    writer.member("operationId", link.name)
                    writer.object("parameters") { writer in
                        writer.member("path.id", "$response.body#/id")
                        if link.needsVersion {
                            writer.member("header.If-Match", "$response.header.ETag")
                        }
                    }
                }
            }
        }
    }

    fileprivate mutating func headers(_ headers: [ResponseHeader]) {
        if headers.isEmpty { return }
        key("headers")
        object { writer in
            for header in headers {
                writer.key(header.rawValue)
                writer.object { writer in
                    writer.member("description", header.summary)
                    if header.isRequired { writer.member("required", true) }
                    writer.member("schema", JSONSchema.string.fragment)
                }
            }
        }
    }
}
