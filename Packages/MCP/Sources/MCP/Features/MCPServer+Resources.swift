import JSON
import JSONRPC

extension MCPServer {
    var resourceMethods: [Method] {
        offersResources ? [listResources, listTemplates, readResource] : []
    }

    private var listResources: Method {
        method("resources/list") { call, context throws(RPCError) in
            let page = try Page(of: resources, call.params)
            return context.result(.cacheable) { writer in
                writer.array("resources") { writer in
                    for resource in page.elements {
                        writer.object { writer in
                            writer.member("uri", resource.uri)
                            write(resource.name, resource.title, resource.summary, &writer, context)
                            writer.member("mimeType", resource.mediaType)
                        }
                    }
                }
                writer.member("nextCursor", page.nextCursor)
            }
        }
    }

    private var listTemplates: Method {
        method("resources/templates/list") { call, context throws(RPCError) in
            let page = try Page(of: templates, call.params)
            return context.result(.cacheable) { writer in
                writer.array("resourceTemplates") { writer in
                    for template in page.elements {
                        writer.object { writer in
                            writer.member("uriTemplate", template.uriTemplate)
                            write(template.name, template.title, template.summary, &writer, context)
                            writer.member("mimeType", template.mediaType)
                        }
                    }
                }
                writer.member("nextCursor", page.nextCursor)
            }
        }
    }

    private func write(
        _ name: String,
        _ title: String?,
        _ summary: String,
        _ writer: inout JSONWriter,
        _ context: RequestContext
    ) {
        writer.member("name", name)
        if context.revision.hasTitles { writer.member("title", title) }
        writer.member("description", summary)
    }

    private var readResource: Method {
        var read = method("resources/read") { call, context throws(RPCError) in
            let uri = try self.uri(of: call)
            guard let reader = reader(of: uri),
                let body = try await reader.read(call.with(Params()))
            else { throw .resourceNotFound(uri, context.revision) }
            return context.result(.uncacheable) { writer in
                writer.array("contents") { writer in
                    writer.object { writer in
                        writer.member("uri", uri)
                        writer.member("mimeType", reader.mediaType)
                        body.writeMember(to: &writer)
                    }
                }
            }
        }
        read.determineData = { data(of: $0) }
        return read
    }

    private func data(of call: Call) -> DataAccess? {
        guard let uri = try? uri(of: call) else { return Self.session }
        let data =
            resources.first { $0.uri == uri }?.data
            ?? templates.first { $0.value(in: uri) != nil }?.data
        return data?.reading(Self.session.reads)
    }

    func uri(of call: Call) throws(RPCError) -> String {
        guard let uri = try call.params.string("uri") else {
            throw .invalidParams("\"uri\" is missing: the URI of the resource", parameter: "uri")
        }
        return uri
    }

    /// Reads a resource.
    struct Reader {
        let mediaType: String
        /// Returns nil if a resource that a template describes does not exist.
        let read: @Sendable (Call) async throws(RPCError) -> ResourceBody?
    }

    /// The reader of the resource `uri`; nil if no resource or template matches.
    func reader(of uri: String) -> Reader? {
        if let resource = resources.first(where: { $0.uri == uri }) {
            return Reader(mediaType: resource.mediaType) { call throws(RPCError) in
                try await resource.read(call)
            }
        }
        for template in templates {
            guard let value = template.value(in: uri) else { continue }
            return Reader(mediaType: template.mediaType) { call throws(RPCError) in
                try await template.read(value, call)
            }
        }
        return nil
    }
}
