/// A server that stores salons with versions.
typealias SalonServer = FaultyServer<SalonState>

/// What a ``SalonServer`` stores, and how it responds to requests without a fault.
struct SalonState: ServerState {
    /// The members of each salon without its version, by id; at first one in version 3.
    var salons = [Sample.salon: (members: SalonServer.members, version: 3)]
    var appointments: [String] = []
    var requests: [ReceivedRequest] = []

    mutating func process(_ request: ReceivedRequest) -> KeepAliveServer.Response {
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

    private func stored(in request: ReceivedRequest, status: Int = 200) -> KeepAliveServer.Response
    {
        let id = id(in: request)
        guard let text = text(id), let version = salons[id]?.version else {
            return .reply(404, #"{"error":"salonNotFound","message":"no such salon"}"#)
        }
        return .reply(status, text, headers: ["ETag": "\"\(version)\""])
    }

    private mutating func put(_ request: ReceivedRequest) -> KeepAliveServer.Response {
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

    private mutating func delete(_ request: ReceivedRequest) -> KeepAliveServer.Response {
        let id = id(in: request)
        guard let version = salons[id]?.version else { return stored(in: request) }
        guard request.headers["if-match"] == "\"\(version)\"" else {
            return .reply(412, #"{"error":"versionConflict"}"#)
        }
        salons[id] = nil
        return .reply(204)
    }
}

extension FaultyServer<SalonState> {
    /// The members of a salon that is open from 09:30 to 18:00, and one that the program does not know.
    static var members: String {
        #""id":"\#(Sample.salon)","name":"Nova","location":"Berlin","open_time":9.30,"#
            + #""close_time":18.00,"time_zone":"Europe/Berlin","rating":4.5"#
    }

    /// The requests to change a salon.
    var changes: [ReceivedRequest] { requests { $0.method != "GET" } }

    /// The stored JSON of the salon; nil if it was deleted.
    var salon: String? { state.text(Sample.salon) }

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
