import Foundation
import JSON
import Synchronization

/// A server that stores salons with versions, and that can have an injected fault.
final class SalonServer: Sendable {
    typealias Response = KeepAliveServer.Response
    /// Responds to a request in place of the server; nil leaves the request to the server.
    typealias Fault = @Sendable (ReceivedRequest, inout State) -> Response?

    /// What the server stores, and how it responds without a fault.
    struct State: Sendable {
        /// The members of each salon without its version, by id.
        var salons: [String: (members: String, version: Int)] = [:]
        var appointments: [String] = []
        var requests: [ReceivedRequest] = []

        mutating func process(_ request: ReceivedRequest) -> Response {
            switch (request.method, request.path) {
            case ("GET", "/salons"):
                let list = salons.keys.sorted().compactMap(text).joined(separator: ",")
                return .reply(200, #"{"salons":[\#(list)]}"#)
            case ("GET", "/appointments"):
                return .reply(200, #"{"appointments":[\#(appointments.joined(separator: ","))]}"#)
            case ("GET", _): return stored(in: request)
            case ("PUT", _): return put(request)
            case ("DELETE", _): return delete(request)
            default: return .reply(405)
            }
        }

        private func id(in request: ReceivedRequest) -> String {
            String(request.path.dropFirst("/salons/".count))
        }

        func text(_ id: String) -> String? {
            salons[id].map { "{\($0.members),\"version\":\($0.version)}" }
        }

        private func stored(in request: ReceivedRequest, status: Int = 200) -> Response {
            let id = id(in: request)
            guard let text = text(id), let version = salons[id]?.version else {
                return .reply(404, #"{"error":"salonNotFound","message":"no such salon"}"#)
            }
            return .reply(status, text, headers: ["ETag": "\"\(version)\""])
        }

        private mutating func put(_ request: ReceivedRequest) -> Response {
            let id = id(in: request)
            let version = salons[id]?.version
            let isExpected =
                version.map { request.headers["if-match"] == "\"\($0)\"" }
                ?? (request.headers["if-none-match"] == "*")
            guard isExpected else { return .reply(412, #"{"error":"versionConflict"}"#) }
            let members = String(request.body.dropFirst().dropLast())
            salons[id] = (members, (version ?? 0) + 1)
            return stored(in: request, status: version == nil ? 201 : 200)
        }

        private mutating func delete(_ request: ReceivedRequest) -> Response {
            let id = id(in: request)
            guard let version = salons[id]?.version else { return stored(in: request) }
            guard request.headers["if-match"] == "\"\(version)\"" else {
                return .reply(412, #"{"error":"versionConflict"}"#)
            }
            salons[id] = nil
            return .reply(204)
        }
    }

    private final class Shared: Sendable {
        let state: Mutex<State>
        let fault: Mutex<Fault?>

        init(_ fault: Fault?) {
            state = Mutex(State())
            self.fault = Mutex(fault)
        }
    }

    /// The members of a salon that is open from 09:30 to 18:00, and one that the program does not know.
    static let members =
        #""id":"\#(Sample.salon)","name":"Nova","location":"Berlin","open_time":9.30,"#
        + #""close_time":18.00,"time_zone":"Europe/Berlin","rating":4.5"#

    private let shared: Shared
    private let server: KeepAliveServer
    var url: String { server.url }

    /// Creates a server with one salon in version 3.
    init(_ fault: Fault? = nil) throws {
        let shared = Shared(fault)
        self.shared = shared
        server = try KeepAliveServer { request in
            let fault = shared.fault.withLock(\.self)
            return shared.state.withLock { state in
                state.requests.append(request)
                return fault?(request, &state) ?? state.process(request)
            }
        }
        update { $0.salons[Sample.salon] = (Self.members, 3) }
    }

    /// Replaces the fault; nil removes it.
    func setFault(_ fault: Fault?) { shared.fault.withLock { $0 = fault } }

    func update(_ change: (inout State) -> Void) { shared.state.withLock { change(&$0) } }

    /// All requests so far that satisfy `isWanted`, oldest first.
    func requests(_ isWanted: (ReceivedRequest) -> Bool) -> [ReceivedRequest] {
        shared.state.withLock { $0.requests.filter(isWanted) }
    }

    /// The requests to change a salon.
    var changes: [ReceivedRequest] { requests { $0.method != "GET" } }

    /// The stored JSON of the salon; nil if it was deleted.
    var salon: String? { shared.state.withLock { $0.text(Sample.salon) } }
}

extension SalonServer {
    /// Changes are carried out, and the connection closes without a response.
    static let losesResponses: Fault = { request, state in
        if request.method == "GET" { return nil }
        _ = state.process(request)
        return .hangUp
    }

    /// Changes are not carried out, and the connection closes without a response.
    static let losesRequests: Fault = { request, _ in request.method == "GET" ? nil : .hangUp }

    /// Changes get this response and are not carried out.
    static func responding(_ status: Int, _ body: String = "") -> Fault {
        { request, _ in
            request.method == "GET"
                ? nil : .reply(status, body, headers: ["Location": "https://moved.example/"])
        }
    }

    /// An appointment at the salon at this time.
    static func appointment(_ id: String, _ time: String) -> String {
        #"{"id":"\#(id)","version":1,"salonId":"\#(Sample.salon)","appointmentTime":"\#(time)","#
            + #""phone":"+49 30 1234567"}"#
    }
}
