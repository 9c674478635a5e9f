import Synchronization

/// The faults that several tests share.
extension BookingServer {
    /// A booking or change that succeeds is not answered: the connection is closed. Repeated, it is
    /// rejected, because it has been done.
    static let losesAnswers: Fault = { request, state in
        let answer = state.process(request)
        guard request.method != "GET", case .reply(200..<300, _, _) = answer else { return answer }
        return .hangUp
    }

    /// No booking or change is answered, neither with success nor with a rejection.
    static let losesEveryAnswer: Fault = { request, state in
        if request.method == "GET" { return nil }
        _ = state.process(request)
        return .hangUp
    }

    /// Bookings and changes never arrive, and the connection is closed without an answer.
    static let losesRequests: Fault = { request, _ in request.method == "GET" ? nil : .hangUp }

    /// Bookings and changes never arrive, and the list has a second page that cannot be read.
    static let truncatesList: Fault = { request, state in
        if request.method != "GET" { return .hangUp }
        if request.target.contains("cursor=2") { return .reply(500) }
        guard request.path == "/appointments" else { return nil }
        let next = #"</appointments?cursor=2>; rel="next""#
        return .reply(200, state.appointmentList, headers: ["Link": next])
    }

    /// Bookings and changes are answered with that status and no body, and processed if `processing`.
    static func answers(_ status: Int, processing: Bool = true) -> Fault {
        { request, state in
            if request.method == "GET" { return nil }
            if processing { _ = state.process(request) }
            return .reply(status, headers: ["Location": "https://moved.example/appointments"])
        }
    }

    /// A shared cache in front of the server: it answers every URL that it has seen with the bytes that
    /// it stored, whatever the request's Cache-Control says, as nginx and varnish do by default.
    static func behindCache(_ fault: @escaping Fault) -> Fault {
        let stored = StoredAnswers()
        return { request, state in
            guard request.method == "GET" else { return fault(request, &state) }
            if let answer = stored.answers.withLock({ $0[request.target] }) { return answer }
            let answer = fault(request, &state) ?? state.process(request)
            if case .reply = answer { stored.answers.withLock { $0[request.target] = answer } }
            return answer
        }
    }

    private final class StoredAnswers: Sendable {
        let answers = Mutex<[String: Answer]>([:])
    }
}
