import JSON
import JSONRPC
import SystemSupport

extension MCPServer {
    var promptMethods: [Method] { prompts.isEmpty ? [] : [listPrompts, getPrompt] }

    var completionMethods: [Method] { offersCompletions ? [complete] : [] }

    private var listPrompts: Method {
        listMethod("prompts/list", "prompts", { _ in prompts }) { prompt, writer, context in
            writer.member("name", prompt.name)
            if context.revision.hasTitles { writer.member("title", prompt.title) }
            writer.member("description", prompt.description)
            writer.array("arguments") { writer in
                for argument in prompt.arguments {
                    writer.object { writer in
                        writer.member("name", argument.name)
                        writer.member("description", argument.description)
                        writer.member("required", argument.isRequired)
                    }
                }
            }
        }
    }

    private var getPrompt: Method {
        method("prompts/get") { call, context throws(RPCError) in
            let prompt = try prompt(named: try call.params.string("name"))
            let arguments = try Self.arguments(of: call, for: prompt)
            return context.result { writer in
                writer.member("description", prompt.description)
                writer.array("messages") { writer in
                    writer.object { writer in
                        writer.member("role", "user")
                        writer.object("content") { writer in
                            writer.member("type", "text")
                            writer.member("text", prompt.text(arguments))
                        }
                    }
                }
            }
        }
    }

    private func prompt(named name: String?) throws(RPCError) -> Prompt {
        guard let prompt = prompts.first(where: { $0.name == name }) else {
            let hint = NearestName.hint(for: name ?? "", among: prompts.map(\.name))
            throw .invalidParams("unknown prompt \"\(name ?? "")\"\(hint)", parameter: "name")
        }
        return prompt
    }

    private static func arguments(
        of call: Call,
        for prompt: Prompt
    ) throws(RPCError) -> [String: String] {
        var arguments: [String: String] = [:]
        let given = try call.params.read("arguments") { value throws(JSONError) in
            try value.object()
        }
        for argument in prompt.arguments {
            if let value = given?.optional(named: argument.name) {
                guard let text = try? value.string() else {
                    let reason = "\"\(argument.name)\" must be a text: \(argument.description)"
                    throw .invalidParams(reason, parameter: argument.name)
                }
                // Clients show a form, and send a field without text as a blank one.
                if !text.allSatisfy(\.isWhitespace) { arguments[argument.name] = text }
            }
            if argument.isRequired, arguments[argument.name] == nil {
                let reason = "\"\(argument.name)\" is missing: \(argument.description)"
                throw .invalidParams(reason, parameter: argument.name)
            }
        }
        return arguments
    }

    private var complete: Method {
        method("completion/complete") { call, context throws(RPCError) in
            let (name, prefix) = try Self.argument(of: call)
            let complete = try self.completer(of: call, argument: name)
            let values = await complete?(prefix) ?? []
            let limit = 100
            return context.result { writer in
                writer.object("completion") { writer in
                    writer.member("values", Array(values.prefix(limit)))
                    writer.member("total", values.count)
                    writer.member("hasMore", values.count > limit)
                }
            }
        }
    }

    private static func argument(of call: Call) throws(RPCError) -> (name: String, prefix: String) {
        guard let argument = try? call.params.value("argument")?.object(),
            let name = try? argument["name"]?.string(),
            let prefix = try? argument["value"]?.string()
        else { throw .invalidParams("\"argument\" must have a \"name\" and a \"value\"") }
        return (name, prefix)
    }

    private func completer(
        of call: Call,
        argument: String
    ) throws(RPCError) -> (@Sendable (String) async -> [String])? {
        let reference = try? call.params.value("ref")?.object()
        switch try? reference?["type"]?.string() {
        case "ref/prompt":
            let prompt = try prompt(named: try? reference?["name"]?.string())
            return prompt.arguments.first { $0.name == argument }?.complete
        case "ref/resource":
            let uri = try? reference?["uri"]?.string()
            guard let template = templates.first(where: { $0.uriTemplate == uri }) else {
                throw .invalidParams("unknown resource template \"\(uri ?? "")\"")
            }
            return template.variable == argument ? template.complete : nil
        default: throw .invalidParams("\"ref\" must be a prompt or a resource template")
        }
    }
}
