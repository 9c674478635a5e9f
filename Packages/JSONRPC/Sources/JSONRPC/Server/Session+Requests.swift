import JSON
import Synchronization

extension Session {
    func begin(
        _ id: RequestID,
        _ name: String,
        _ given: JSONValue?,
        _ size: Int,
        _ reply: @escaping CallQueue.ReplyHandler
    ) {
        do throws(RPCError) {
            if isShutDown.load(ordering: .relaxed) {
                throw .invalidRequest("the server was shut down; only exit is taken now")
            }
            if name == "initialize" { watchProcess(given) }
            if let method = table[name] {
                try start(method, given, id, size, reply)
            } else if name == "shutdown" {
                isShutDown.store(true, ordering: .relaxed)
                reply(Reply.result(.null, id: id.bytes))
            } else if name == "initialize" {
                reply(Reply.result(lifecycle.initializeResult, id: id.bytes))
            } else {
                throw .methodNotFound(name)
            }
        } catch {
            reply(Reply.error(error, id: id.bytes))
        }
    }

    func start(
        _ method: Method,
        _ given: JSONValue?,
        _ id: RequestID?,
        _ size: Int,
        _ reply: @escaping CallQueue.ReplyHandler
    ) throws(RPCError) {
        let call = Call(
            params: try Params(given, for: method),
            meta: (try? given?.object())?.optional("_meta"),
            id: id.map { JSONFragment(trusted: $0.bytes) },
            peer: peer,
            progress: id == nil
                ? nil : Progress(params: given, title: method.summary, notify: peer.notify),
            queue: queue
        )
        let effect = method.effect(of: call)
        let kind = method.pace?(call) ?? method.name
        let order = CallQueue.Order(
            id: id,
            bytes: CallQueue.memory(ofMessage: size),
            effect: effect,
            // Only where it matters: to find out takes longer than many calls do.
            access: effect == .reads && !queue.hasChanges ? DataAccess.none : method.data(of: call),
            isQuick: effect == .reads && pace.isQuick(kind),
            work: { [pace] in await pace.time(kind) { await Self.answer(call, by: method) } },
            reply: reply
        )
        try queue.submit(order)
    }

    private static func answer(_ call: Call, by method: Method) async -> CallQueue.Outcome {
        defer { call.progress?.end() }
        do throws(RPCError) {
            let result = try await method.handler(call)
            return .answered(call.id.map { Reply.result(result, id: $0.bytes) })
        } catch {
            if error == .requestCancelled { return .undone }
            return .answered(call.id.map { Reply.error(error, id: $0.bytes) })
        }
    }

    private func watchProcess(_ params: JSONValue?) {
        let id = (try? (try? params?.object())?.optional("processId")?.integer()) ?? nil
        guard let id, let id = Int32(exactly: id), id > 1,
            !isWatchingProcess.exchange(true, ordering: .relaxed)
        else { return }
        events.onProcessID(id)
    }
}
