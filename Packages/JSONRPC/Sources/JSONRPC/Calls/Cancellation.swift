/// How a cancelled call is answered if its handler does not reply.
struct Cancellation: Sendable {
    /// The error to send if the call changed nothing; nil for no reply.
    let unchangedError: RPCError?
    /// The error to send if the handler did not stop in time and may have changed data; nil for no
    /// reply.
    let inDoubtError: RPCError?

    /// A cancellation by the caller. `getsReply` depends on the protocol of the cancellation.
    static func byCaller(getsReply: Bool) -> Cancellation {
        guard getsReply else { return Cancellation(unchangedError: nil, inDoubtError: nil) }
        return Cancellation(unchangedError: .requestCancelled, inDoubtError: .cancelledInDoubt)
    }

    /// A cancellation because the input has ended or the server stops.
    static let byInputEnd = Cancellation(
        unchangedError: .inputEnded,
        inDoubtError: .inputEndedInDoubt
    )
}
