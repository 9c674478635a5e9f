public import JSON

extension Method {
    /// Creates a method that handles a notification.
    ///
    /// Notifications are handled one after the other, in the order of their arrival, and later calls
    /// wait for them: they count as changes to `data`. Unknown parameters are accepted. If the
    /// handler throws, the error is written to the log of the ``Connection``, because a notification
    /// has no reply.
    ///
    /// - Parameters:
    ///   - name: Its name in messages.
    ///   - summary: What it does, in one sentence.
    ///   - parameters: Its parameters, in positional order. Necessary only if a peer may send them
    ///     by position.
    ///   - data: The data that it changes; nil for all data.
    ///   - handler: Handles a notification.
    public init(
        notification name: String,
        _ summary: String,
        parameters: [Parameter] = [],
        data: DataAccess? = nil,
        handler: @escaping @Sendable (Call) async throws(RPCError) -> Void
    ) {
        self.init(
            name,
            summary,
            parameters: parameters,
            result: .init("nothing", "null"),
            effect: .changes(),
            data: data
        ) { call throws(RPCError) in
            try await handler(call)
            return .null
        }
        acceptsUnknownParameters = true
    }

    /// Creates a method that handles a notification, whose params are a `Decodable` type.
    ///
    /// Notifications with common data are handled in the order of their arrival; unknown parameters
    /// are accepted; an error is written to the log of the ``Connection``.
    ///
    /// - Parameters:
    ///   - name: Its name in messages.
    ///   - summary: What it does, in one sentence.
    ///   - parameters: Its parameters, in positional order. Their names are the keys of `Input`.
    ///     Necessary only if a peer may send them by position.
    ///   - data: The data that it changes; nil for all data.
    ///   - handler: Handles a notification.
    public init<Input: Decodable & Sendable>(
        notification name: String,
        _ summary: String,
        parameters: [Parameter] = [],
        data: DataAccess? = nil,
        handler: @escaping @Sendable (Input, Call) async throws -> Void
    ) {
        self.init(
            notification: name,
            summary,
            parameters: parameters,
            data: data,
            handler: Self.decoding(handler)
        )
    }

    /// Creates a method that handles a notification on the thread that reads the input.
    ///
    /// The connection reads no other message meanwhile. So a call of the ``Peer`` returns after the
    /// notifications that the other side sent before its response, such as the progress of the
    /// call. `receive` must return soon, and must not wait for other messages.
    ///
    /// - Parameters:
    ///   - name: Its name in messages.
    ///   - summary: What it does, in one sentence.
    ///   - receive: Handles a notification with these params; nil for none.
    public init(
        immediateNotification name: String,
        _ summary: String,
        receive: @escaping @Sendable (JSONValue?) -> Void
    ) {
        self.init(notification: name, summary) { call throws(RPCError) in receive(call.rawParams) }
        self.receive = receive
    }
}
