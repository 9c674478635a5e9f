/// Why a call is cancelled. It decides the reply if the handler has none.
enum Cancellation: Sendable, Hashable {
    /// The caller cancelled the request, which is still answered or not.
    case byCaller(isAnswered: Bool)
    /// The connection ends.
    case atEnd

    /// The reply if the call changed nothing; nil for no reply.
    var unchangedError: RPCError? {
        switch self {
        case .byCaller(isAnswered: true): .requestCancelled
        case .byCaller(isAnswered: false): nil
        case .atEnd: .ended
        }
    }

    /// The reply if the handler did not stop in time and may have changed data; nil for no reply.
    var inDoubtError: RPCError? {
        switch self {
        case .byCaller(isAnswered: true): .cancelledInDoubt
        case .byCaller(isAnswered: false): nil
        case .atEnd: .endedInDoubt
        }
    }
}
