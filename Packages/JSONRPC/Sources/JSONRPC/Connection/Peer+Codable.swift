import JSON

extension Peer {
    /// Sends a notification with params of an `Encodable` type. After the end of the connection, does
    /// nothing.
    ///
    /// - Parameters:
    ///   - method: The name of the notification.
    ///   - params: A value that is encoded as an object or an array.
    /// - Throws: -32602 if the params cannot be encoded.
    public func notify(_ method: String, _ params: some Encodable) throws(RPCError) {
        notify(method, try Self.encoded(params))
    }

    /// Calls a method with params and a result of `Codable` types. See
    /// ``call(_:_:timeout:cancellation:)``.
    ///
    /// - Parameters:
    ///   - method: The name of the method.
    ///   - params: A value that is encoded as an object or an array.
    ///   - type: The type of the result.
    ///   - timeout: The time to wait for the response; nil to wait without a limit.
    ///   - cancellation: The notification that cancels the call; nil for that of the first
    ///     ``ProtocolExtension`` of the connection's methods.
    /// - Returns: The result.
    /// - Throws: -32602 if the params cannot be encoded, -32603 if the result is of a different
    ///   type, or an error of the call.
    public func call<Output: Decodable>(
        _ method: String,
        _ params: some Encodable,
        as type: Output.Type = Output.self,
        timeout: Duration? = nil,
        cancellation: CancellationNotification? = nil
    ) async throws(RPCError) -> Output {
        let result = try await call(
            method,
            try Self.encoded(params),
            timeout: timeout,
            cancellation: cancellation
        )
        do { return try result.decode(type) } catch {
            throw .internalError("the result is invalid: \(error)")
        }
    }

    private static func encoded(_ params: some Encodable) throws(RPCError) -> JSONFragment {
        do { return try JSONFragment(encoding: params) } catch {
            throw .invalidParams(String(describing: error))
        }
    }
}
