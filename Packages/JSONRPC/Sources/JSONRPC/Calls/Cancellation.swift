import JSON

/// How a cancelled call is answered if its handler does not reply.
struct Cancellation: Sendable {
    /// The error to send if the call changed nothing; nil for no reply.
    let unchangedError: RPCError?
    /// The error to send if the handler did not stop in time and may have changed data; nil for no
    /// reply.
    let inDoubtError: RPCError?
    /// Whether a call with these params gets no reply even if its handler replies.
    var isSilent: @Sendable (JSONValue?) -> Bool = { _ in false }

    /// A cancellation by the caller. `getsReply` depends on the protocol of the cancellation; if it is
    /// false, `isSilent` says for which params not even a reply from the handler is sent.
    static func byCaller(
        getsReply: Bool,
        isSilent: @escaping @Sendable (JSONValue?) -> Bool = { _ in false }
    ) -> Cancellation {
        guard getsReply else {
            return Cancellation(unchangedError: nil, inDoubtError: nil, isSilent: isSilent)
        }
        return Cancellation(unchangedError: .requestCancelled, inDoubtError: .cancelledInDoubt)
    }

    /// A cancellation because the input has ended or the server stops.
    static let byInputEnd = Cancellation(
        unchangedError: .inputEnded,
        inDoubtError: .inputEndedInDoubt
    )
}
