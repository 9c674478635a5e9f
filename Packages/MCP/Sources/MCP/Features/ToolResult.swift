import JSON
import JSONRPC

/// Encodes the result of a tool call: structured, and as text for clients that ignore the
/// structure.
enum ToolResult {
    /// The schema of an error. It has the members of a JSON-RPC error.
    static let errorSchema = ObjectSchema([
        .init("code", .init { $0.object { $0.member("type", "integer") } }),
        .init("message", .init { $0.object { $0.member("type", "string") } }),
        .init("data", .init { $0.object { $0.member("type", "object") } }, isRequired: false),
    ])

    static func success(
        _ content: JSONFragment,
        _ context: RequestContext,
        image: JSONFragment? = nil
    ) -> JSONFragment {
        context.result { write(content, image, to: &$0, context) }
    }

    /// Encodes an error of the tool as a result, so that the model can see and correct it.
    static func failure(_ error: RPCError, _ context: RequestContext) -> JSONFragment {
        let content = JSONFragment { writer in
            writer.object { writer in
                writer.key("error")
                writer.object { writer in
                    writer.member("code", error.code)
                    writer.member("message", error.message)
                    if let data = error.data { writer.member("data", data) }
                }
            }
        }
        return context.result { writer in
            write(content, nil, to: &writer, context)
            writer.member("isError", true)
        }
    }

    private static func write(
        _ content: JSONFragment,
        _ image: JSONFragment?,
        to writer: inout JSONWriter,
        _ context: RequestContext
    ) {
        writer.key("content")
        writer.array { writer in
            writer.object { writer in
                writer.member("type", "text")
                writer.key("text")
                writer.string(textOf: content)
            }
            if let image { writer.raw(image) }
        }
        if context.revision.hasStructuredContent { writer.member("structuredContent", content) }
    }
}
