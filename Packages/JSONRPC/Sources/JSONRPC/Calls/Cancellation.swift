/// Why a call is cancelled. Determines the reply if the handler does not reply.
enum Cancellation: Sendable, Hashable {
    /// The caller cancelled the request. `getsReply` depends on the protocol of the cancellation.
    case byCaller(getsReply: Bool)
    /// The input ended or the server stops.
    case byInputEnd

    /// The error to send if the call changed nothing; nil for no reply.
    var unchangedError: RPCError? {
        switch self {
        case .byCaller(getsReply: true): .requestCancelled
        case .byCaller(getsReply: false): nil
        case .byInputEnd: .inputEnded
        }
    }

    /// The error to send if the handler did not stop in time and may have changed data; nil for no
    /// reply.
    var inDoubtError: RPCError? {
        switch self {
        case .byCaller(getsReply: true): .cancelledInDoubt
        case .byCaller(getsReply: false): nil
        case .byInputEnd: .inputEndedInDoubt
        }
    }
}
