import JSON
import JSONRPC

/// Encodes the result of a tool call: structured, and as text for clients that ignore the
/// structure.
enum ToolResult {
    static func success(
        _ content: ObjectFragment,
        _ context: RequestContext,
        image: ObjectFragment? = nil
    ) -> ObjectFragment {
        context.result { writer in
            writeContent(content, image, to: &writer)
            if context.revision.hasStructuredContent {
                writer.member("structuredContent", content.fragment)
            }
        }
    }

    /// Encodes an error of the tool as a result, so that the model can see and correct it. The text
    /// is a JSON-RPC error. There is no structured content: it would have to conform to the tool's
    /// output schema.
    static func failure(
        _ error: RPCError,
        _ names: ToolNames,
        _ context: RequestContext
    ) -> ObjectFragment {
        let content = ObjectFragment { writer in
            writer.object("error") { writer in
                writer.member("code", error.code)
                writer.member("message", names.replacingMethods(in: error.message))
                writer.member("data", error.data)
            }
        }
        return context.result { writer in
            writeContent(content, nil, to: &writer)
            writer.member("isError", true)
        }
    }

    private static func writeContent(
        _ content: ObjectFragment,
        _ image: ObjectFragment?,
        to writer: inout JSONWriter
    ) {
        writer.array("content") { writer in
            writer.object { writer in
                writer.member("type", "text")
                writer.key("text")
                writer.string(textOf: content.fragment)
            }
            if let image { writer.raw(image.fragment) }
        }
    }
}
