import JSON
public import JSONRPC

extension MCPClient {
    /// Subscribes to changes. The subscription ends with the stream: when the task that reads it is
    /// cancelled, or when nothing refers to the stream anymore.
    ///
    /// Several changes before the next element is read count as one. The stream ends if the server
    /// ends the subscription or the connection ends. Subscriptions start one after the other; if the
    /// client has no timeout, each waits at most 30 s for the server.
    ///
    /// - Parameter topic: A resource or a list.
    /// - Returns: A stream with one element per change.
    /// - Throws: -32601 if the server does not offer such notifications; -32602 if it does not
    ///   accept the topic; the error of the server; `RPCError.timedOut`; or
    ///   `RPCError.requestCancelled`.
    public func changes(of topic: ChangeTopic) async throws(RPCError) -> AsyncStream<Void> {
        guard server.capabilities.contains(topic.capability) else {
            throw .methodNotFound(
                "notifications of changes",
                advice: "the server does not offer them"
            )
        }
        // Watch first: a change may arrive before the response.
        let (number, changes) = inbox.watch(topic)
        let result = await subscriptionQueue.run { [self] in
            do throws(RPCError) {
                if revision.hasHandshake {
                    try await subscribe(topic, number)
                } else {
                    try await listen(topic, number)
                }
                return nil as RPCError?
            } catch {
                inbox.stopWatching(number)
                return error
            }
        }
        if let result { throw result }
        return changes
    }

    /// The time to wait for each subscription if the client has no timeout. Without a limit, a
    /// request that is not answered would block all later ones.
    private static let subscriptionLimit = Duration.seconds(30)

    /// Subscribes in a revision with a handshake, in which only resources need a subscription.
    private func subscribe(_ topic: ChangeTopic, _ number: Int) async throws(RPCError) {
        guard case .resource(let uri) = topic else {
            return inbox.onEnd(of: number) { [inbox] in inbox.stopWatching(number) }
        }
        let method = "resources/subscribe"
        _ = try await requests.send(method, limit: Self.subscriptionLimit) { writer in
            writer.member("uri", uri)
        }
        inbox.onEnd(of: number) { [inbox, requests, subscriptionQueue] in
            inbox.stopWatching(number)
            subscriptionQueue.add {
                if inbox.isWatched(topic) { return }
                let method = "resources/unsubscribe"
                _ = try? await requests.send(method, limit: Self.subscriptionLimit) { writer in
                    writer.member("uri", uri)
                }
            }
        }
    }

    /// Subscribes in a revision without a handshake, in which a request stays open while the
    /// subscription lasts.
    private func listen(_ topic: ChangeTopic, _ number: Int) async throws(RPCError) {
        let method = "subscriptions/listen"
        let params = requests.params { writer in
            writer.object("notifications") { Self.write(topic, to: &$0) }
        }
        let acknowledged = try await inbox.acknowledgment(for: number) {
            let listening = Task { [inbox, peer = requests.peer] in
                var failure = RPCError.connectionEnded
                do throws(RPCError) {
                    // Call without a timeout: the response arrives when the subscription ends.
                    _ = try await peer.call(method, params.fragment)
                } catch {
                    failure = error
                }
                inbox.resolveAcknowledgment(.failure(failure), for: number)
                inbox.stopWatching(number)
            }
            inbox.onEnd(of: number) { [inbox] in
                inbox.stopWatching(number)
                listening.cancel()
            }
            Task { [inbox, timeout = requests.timeout ?? Self.subscriptionLimit] in
                try? await Task.sleep(for: timeout)
                inbox.resolveAcknowledgment(.failure(.timedOut), for: number)
            }
        }
        guard Self.isAccepted(topic, in: acknowledged) else {
            throw .invalidParams("the server does not send notifications of these changes")
        }
    }

    private static func write(_ topic: ChangeTopic, to writer: inout JSONWriter) {
        switch topic {
        case .resource(let uri): writer.member("resourceSubscriptions", [uri])
        case .tools: writer.member("toolsListChanged", true)
        case .resources: writer.member("resourcesListChanged", true)
        case .prompts: writer.member("promptsListChanged", true)
        }
    }

    private static func isAccepted(_ topic: ChangeTopic, in acknowledgment: JSONObject) -> Bool {
        guard let accepted = try? acknowledgment["notifications"]?.object() else { return false }
        func isTrue(_ key: StaticString) -> Bool { (try? accepted[key]?.bool()) == true }
        switch topic {
        case .resource(let uri):
            let uris = try? accepted["resourceSubscriptions"]?.array()
            return uris?.contains { (try? $0.string()) == uri } ?? false
        case .tools: return isTrue("toolsListChanged")
        case .resources: return isTrue("resourcesListChanged")
        case .prompts: return isTrue("promptsListChanged")
        }
    }
}
