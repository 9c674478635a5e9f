import JSON
import JSONRPC

extension MCPServer {
    var resourceMethods: [Method] {
        offersResources ? [listResources, listTemplates, readResource] : []
    }

    private var listResources: Method {
        listMethod("resources/list", "resources", offered) { resource, writer, context in
            writer.member("uri", resource.uri)
            writer.member("name", resource.name)
            if context.revision.hasTitles { writer.member("title", resource.title) }
            writer.member("description", resource.description)
            writer.member("mimeType", resource.mimeType)
            resource.writeMeta(to: &writer)
        }
    }

    /// The resources that a client can use. Apps are only for clients that can show them.
    private func offered(to context: RequestContext) -> [Resource] {
        context.showsApps ? resources : resources.filter { !$0.isApp }
    }

    private var listTemplates: Method {
        listMethod("resources/templates/list", "resourceTemplates", { _ in templates }) {
            template,
            writer,
            context in
            writer.member("uriTemplate", template.uriTemplate)
            writer.member("name", template.name)
            if context.revision.hasTitles { writer.member("title", template.title) }
            writer.member("description", template.description)
            writer.member("mimeType", template.mimeType)
        }
    }

    private var readResource: Method {
        var read = method("resources/read") { call, context throws(RPCError) in
            let uri = try self.uri(of: call)
            guard let resource = resource(at: uri), context.showsApps || !resource.isApp,
                let body = try await resource.read(call.with(Params()))
            else { throw .resourceNotFound(uri, context.revision, advice: advice(for: uri)) }
            return context.result(isCacheable: false) { writer in
                writer.array("contents") { writer in
                    writer.object { writer in
                        writer.member("uri", uri)
                        writer.member("mimeType", resource.mimeType)
                        body.writeMember(to: &writer)
                        resource.writeMeta(to: &writer)
                    }
                }
            }
        }
        read.determineData = { data(of: $0) }
        return read
    }

    private func advice(for uri: String) -> String? {
        templates.first { uri.hasPrefix($0.prefix) }?.advice
    }

    private func data(of call: Call) -> DataAccess? {
        guard let uri = try? uri(of: call) else { return Self.session }
        return resource(at: uri)?.data?.reading(Self.session.reads)
    }

    func uri(of call: Call) throws(RPCError) -> String {
        guard let uri = try call.params.string("uri") else {
            throw .invalidParams("\"uri\" is missing: the URI of the resource", parameter: "uri")
        }
        return uri
    }

    /// The resource `uri`; nil if no resource or template matches.
    func resource(at uri: String) -> Resource? {
        resources.first { $0.uri == uri }
            ?? templates.lazy.compactMap { $0.resource(at: uri) }.first
    }
}
