import JSON
import JSONRPC
import SystemSupport

extension MCPServer {
    var toolMethods: [Method] {
        if tools.isEmpty { return [] }
        let listed = tools.filter(\.isListed)
        let list = listMethod("tools/list", "tools", { _ in listed }) { tool, writer, context in
            tool.writeMembers(
                to: &writer,
                toolNames,
                context.revision,
                hasResultSchema: listsResultSchemas
            )
            if offersApps(to: context) { tool.writeAppUse(to: &writer) }
        }
        var call = method("tools/call") { call, context throws(RPCError) in
            try await self.call(try self.tool(of: call), call, context)
        }
        call.determineData = { ((try? tool(of: $0))?.data) ?? nil }
        call.determineEffect = { effect(of: $0) }
        call.nestedParameter = { params, parameter, member in
            guard parameter == "arguments",
                let name = try? (try? params?.object())?.optional("name")?.string()
            else { return nil }
            return tool(named: name)?.method.parameters.first { $0.name == member }
        }
        call.latencyGroup = { (try? tool(of: $0))?.name ?? "tools/call" }
        return [list, call]
    }

    private func tool(of call: Call) throws(RPCError) -> Tool {
        guard let name = try call.params.string("name") else {
            throw .invalidParams("\"name\" is missing: the name of the tool", parameter: "name")
        }
        guard let tool = tool(named: name) else {
            let known = tools.filter(\.isListed).map(\.name)
            let hint =
                NearestName.suggestion(for: name, among: known).map { "did you mean \($0)?" }
                ?? "the tools are \(known.joined(separator: ", "))"
            throw .invalidParams("unknown tool \"\(name)\"; \(hint)", parameter: "name")
        }
        return tool
    }

    /// A call that asks the user for consent is not a change until the answer arrives.
    private func effect(of call: Call) -> Method.CallEffect {
        guard let tool = try? tool(of: call), tool.method.mayChange,
            let params = try? tool.params(call.params.value("arguments")),
            tool.method.effect(of: call.with(params)) != .reads,
            let context = try? context(of: call)
        else { return .reads }
        guard context.canElicit, tool.makeConfirmation != nil, consent.policy != .never else {
            return .changes
        }
        if context.revision.hasHandshake { return .changesLater }
        return call.params.value("requestState") == nil ? .reads : .changes
    }

    private func call(
        _ tool: Tool,
        _ call: Call,
        _ context: RequestContext
    ) async throws(RPCError) -> ObjectFragment {
        do throws(RPCError) {
            let params = try tool.params(call.params.value("arguments"))
            guard context.canElicit, consent.policy != .never, tool.makeConfirmation != nil else {
                if consent.policy == .always, try await question(before: tool, params) != nil {
                    throw consent.makeError(.unsupported)
                }
                return try await run(tool, call.with(params), context)
            }
            if !context.revision.hasHandshake {
                return try await confirmAcrossRequests(tool, call, params, context)
            }
            guard let confirmation = try await question(before: tool, params) else {
                return try await runInTurn(tool, call.with(params), context)
            }
            try await confirm(confirmation.question, call)
            let confirmed = params.setting(confirmation.pinnedArguments)
            return try await runInTurn(tool, call.with(confirmed), context)
        } catch {
            // A tool error becomes a result, so that the model sees it.
            if error == .requestCancelled || error == Self.invalidState { throw error }
            return ToolResult.failure(error, toolNames, context)
        }
    }

    /// The question that the user must answer before a call; nil if the call needs no consent.
    private func question(
        before tool: Tool,
        _ params: Params
    ) async throws(RPCError) -> Confirmation? {
        guard let confirmation = try await tool.makeConfirmation?(params) else { return nil }
        return consent.policy == .destructive && confirmation.isExplicit ? nil : confirmation
    }

    /// Sends the question to the client as a request. Throws unless the user consents.
    private func confirm(_ question: String, _ call: Call) async throws(RPCError) {
        let response: JSONValue
        let start = consent.now()
        do {
            response = try await call.withoutCountingAsRunning { () throws(RPCError) in
                try await call.peer.call(
                    Elicitation.method,
                    Elicitation.params(question),
                    timeout: consent.timeout,
                    cancellation: .mcp
                )
            }
        } catch {
            switch error {
            case .requestCancelled: throw error
            case .timedOut: throw consent.makeError(.timedOut(consent.timeout))
            default: throw consent.makeError(.failed(error.message))
            }
        }
        if let failure = Elicitation.failure(in: response, after: consent.now() - start) {
            throw consent.makeError(failure)
        }
    }

    /// Returns the question as the result of the first request. The client then repeats the request
    /// with the user's answer, and with the state that contains the pinned arguments.
    private func confirmAcrossRequests(
        _ tool: Tool,
        _ call: Call,
        _ params: Params,
        _ context: RequestContext
    ) async throws(RPCError) -> ObjectFragment {
        let arguments = call.params.value("arguments")
        var pinned: [String: JSONFragment] = [:]
        if let text = try call.params.string("requestState") {
            guard let state = requestStates.decode(text, tool: tool.name, arguments: arguments)
            else { throw Self.invalidState }
            if state.age > consent.timeout { throw consent.makeError(.timedOut(consent.timeout)) }
            pinned = state.pinned
            let responses = try? call.params.value("inputResponses")?.object()
            if let response = responses?[Elicitation.field] {
                if let failure = Elicitation.failure(in: response, after: state.age) {
                    throw consent.makeError(failure)
                }
                return try await run(tool, call.with(params.setting(pinned)), context)
            }
        }
        let confirmed = params.setting(pinned)
        guard let confirmation = try await question(before: tool, confirmed) else {
            // With a state, the effect is `changes`: this call has already waited for earlier
            // changes.
            let isFirst = call.params.value("requestState") == nil
            return isFirst
                ? try await runInTurn(tool, call.with(confirmed), context)
                : try await run(tool, call.with(confirmed), context)
        }
        pinned.merge(confirmation.pinnedArguments) { known, _ in known }
        if let parameter = tool.arguments.idempotencyKey, pinned[parameter] == nil,
            params.value(parameter) == nil
        {
            pinned[parameter] = JSONFragment { $0.string(makeIdempotencyKey()) }
        }
        let state = requestStates.encode(pinned, tool: tool.name, arguments: arguments)
        return inputRequired(confirmation.question, state, context)
    }

    private static let invalidState = RPCError.invalidParams(
        "the requestState is not valid for this call; call the tool again without it",
        parameter: "requestState"
    )

    private func inputRequired(
        _ question: String,
        _ state: String,
        _ context: RequestContext
    ) -> ObjectFragment {
        context.result(type: "input_required") { writer in
            writer.object("inputRequests") { writer in
                writer.object(Elicitation.field) { writer in
                    writer.member("method", Elicitation.method)
                    writer.member("params", Elicitation.params(question))
                }
            }
            writer.member("requestState", state)
        }
    }

    /// Runs a call that has not waited for earlier changes yet.
    private func runInTurn(
        _ tool: Tool,
        _ call: Call,
        _ context: RequestContext
    ) async throws(RPCError) -> ObjectFragment {
        if tool.method.effect(of: call) == .reads { return try await run(tool, call, context) }
        return try await call.inTurn(tool.data) { () throws(RPCError) in
            try await run(tool, call, context)
        }
    }

    private func run(
        _ tool: Tool,
        _ call: Call,
        _ context: RequestContext
    ) async throws(RPCError) -> ObjectFragment {
        let value = try await tool.method.handler(call)
        guard let result = try? ObjectFragment(value) else {
            throw .internalError("the result of \(tool.name) must be an object")
        }
        if let members = tool.image, let image = ExtractedImage(from: result, members) {
            return ToolResult.success(image.rest, context, image: image.block)
        }
        return ToolResult.success(result, context)
    }
}
