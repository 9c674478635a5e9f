public import JSON

extension Method {
    /// Creates a method that handles a notification.
    ///
    /// Notifications are handled one after the other, in the order of their arrival, and later calls
    /// wait for them: they count as changes to `data`. Unknown parameters are accepted. If the
    /// handler throws, the error is written to the log of the ``Connection``, because a notification
    /// has no reply. ``Params/decode(_:)`` decodes the parameters of the call as a type.
    ///
    /// - Parameters:
    ///   - name: The name of the notification in messages.
    ///   - summary: What the method does, in one sentence.
    ///   - parameters: The parameters, in positional order. They are necessary only if a peer may
    ///     send them by position.
    ///   - data: The data that the notification changes; nil for all data.
    ///   - handler: Handles a notification.
    public init(
        notification name: String,
        _ summary: String,
        parameters: @escaping @autoclosure @Sendable () -> [Parameter] = [],
        data: DataAccess? = nil,
        handler: @escaping @Sendable (Call) async throws -> Void
    ) {
        self.init(
            name,
            summary,
            parameters: parameters(),
            result: .init("nothing", "null"),
            effect: .changes(),
            data: data
        ) { call throws(RPCError) in
            do { try await handler(call) } catch { throw RPCError(thrown: error) }
            return .null
        }
        acceptsUnknownParameters = true
    }

    /// Creates a method that handles a notification on the thread that reads the input.
    ///
    /// The connection reads no other message meanwhile. So a call to the peer
    /// (``Peer/call(_:_:timeout:cancellation:)``) returns after the notifications that the peer sent
    /// before its response, such as the progress of the call, were handled. `receive` must return
    /// soon, and must not wait for other messages.
    ///
    /// - Parameters:
    ///   - name: The name of the notification in messages.
    ///   - summary: What the method does, in one sentence.
    ///   - receive: Handles a notification with these params; nil for none.
    public init(
        immediateNotification name: String,
        _ summary: String,
        receive: @escaping @Sendable (JSONValue?) -> Void
    ) {
        self.init(notification: name, summary) { receive($0.rawParams) }
        self.receive = receive
    }
}
