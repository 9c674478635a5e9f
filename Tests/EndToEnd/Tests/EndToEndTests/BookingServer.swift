import Synchronization

/// A server that ignores idempotency keys.
typealias BookingServer = FaultyServer<BookingState>

/// The faults that several tests share.
extension FaultyServer<BookingState> {
    /// A booking or change that succeeds gets no response: the connection is closed. When it is
    /// repeated, it is rejected, because it has been carried out already.
    static var losesResponses: Fault {
        { request, state in
            let response = state.process(request)
            guard request.method != "GET", case .reply(200..<300, _, _) = response else {
                return response
            }
            return .hangUp
        }
    }

    /// Bookings and changes are not processed, and the second page of the list cannot be read.
    static var truncatesList: Fault {
        { request, state in
            if request.method != "GET" { return .hangUp }
            if request.target.contains("cursor=2") { return .reply(500) }
            guard request.path == "/appointments" else { return nil }
            let next = #"</appointments?cursor=2>; rel="next""#
            return .reply(200, state.appointmentList, headers: ["Link": next])
        }
    }

    /// A gateway answers each booking and change, and the server carries it out when it sends its list
    /// for the time `lists`: 0 means before the answer.
    static func gateway(_ answer: Response, carryingOutAfter lists: Int) -> Fault {
        { request, state in
            guard request.method != "GET" else { return nil }
            if lists == 0 {
                _ = state.process(request)
            } else {
                state.delayed.append((request, lists))
            }
            return answer
        }
    }

    /// The list has one appointment per page. The fault handles everything else.
    static func paged(_ fault: @escaping Fault) -> Fault {
        { request, state in
            guard request.method == "GET", request.path == "/appointments" else {
                return fault(request, &state)
            }
            let position =
                request.target.split(separator: "cursor=").dropFirst().first
                .flatMap { Int($0.prefix { $0.isNumber }) } ?? 0
            var page = state
            page.entries = Array(state.entries.dropFirst(position).prefix(1))
            let isLast = position + 1 >= state.entries.count
            let next = #"</appointments?cursor=\#(position + 1)>; rel="next""#
            return .reply(200, page.appointmentList, headers: isLast ? [:] : ["Link": next])
        }
    }

    /// Bookings and changes get this status and no body, and are processed if `processing` is true.
    static func responding(with status: Int, processing: Bool = true) -> Fault {
        { request, state in
            if request.method == "GET" { return nil }
            if processing { _ = state.process(request) }
            return .reply(status, headers: ["Location": "https://moved.example/appointments"])
        }
    }

    /// A shared cache in front of the server. It returns the stored response for every URL that it has
    /// seen, and ignores Cache-Control in requests, as nginx and Varnish do by default.
    static func behindCache(_ fault: @escaping Fault) -> Fault {
        let stored = StoredResponses()
        return { request, state in
            guard request.method == "GET" else { return fault(request, &state) }
            if let response = stored.responses.withLock({ $0[request.target] }) { return response }
            let response = fault(request, &state) ?? state.process(request)
            if case .reply = response {
                stored.responses.withLock { $0[request.target] = response }
            }
            return response
        }
    }

    /// The idempotency keys of all bookings that were received.
    var bookingKeys: Set<String> { Set(requests("POST").compactMap(\.key)) }
}

private final class StoredResponses: Sendable {
    let responses = Mutex<[String: KeepAliveServer.Response]>([:])
}
