import Contract
package import Domain
import JSON
package import Networking
import NovaBlendAccounts
import WebPrimitives

/// Reads, puts, and deletes single salons over HTTP.
package struct HTTPSalonAPI: SalonAPI {
    /// The URL of the list of salons.
    let list: String?
    /// Sends changes. It must not retry requests, because the use case decides about retries.
    let sender: any HTTPClient
    let reader: any HTTPClient

    package init(list: String?, sender: any HTTPClient, reader: any HTTPClient) {
        self.list = list
        self.sender = sender
        self.reader = reader
    }

    /// Requests the salon with a unique query parameter, so that no cache can answer. If the server
    /// rejects the parameter, the request is repeated without it.
    package func salon(_ id: SalonID) async throws(Failure) -> StoredSalonLookup {
        guard let url = url(of: id) else { throw .notConfigured }
        var response = try await get(CacheBypass.unique().adding(to: url))
        if !response.isMissingSalon, CacheBypass.mayBeRejected(response) {
            response = try await get(url)
        }
        switch response.status {
        case 200: return .stored(try Self.stored(id, in: response))
        case 404, 410: return response.isMissingSalon ? .absent : .absentOrUnsupported
        case 405, 501: return .unsupported
        default: throw Failure(unexpected: response)
        }
    }

    package func put(
        _ salon: Salon,
        replacing current: StoredSalon?,
        keepsWallClock: Bool
    ) async throws(AttemptError) -> ConfirmedSalon {
        guard let url = url(of: salon.id) else { throw .notConfigured }
        let body = Self.body(salon, replacing: current?.json ?? [])
        let query = keepsWallClock ? [("keep", "wallClock")] : []
        var request = HTTPRequest(
            method: .put,
            url: EndpointURL(url).adding(query).text,
            body: body
        )
        request.headers["Content-Type"] = "application/json"
        if let tag = current?.entityTag {
            request.headers["If-Match"] = tag
        } else {
            request.headers["If-None-Match"] = "*"
        }
        let response = try await send(request)
        guard response.status == 200 || response.status == 201 else {
            throw AttemptError(toSalonChange: response)
        }
        do {
            let stored = try Self.stored(salon.id, in: response)
            return ConfirmedSalon(
                stored.salon,
                moved: keepsWallClock ? Self.moved(in: stored) : nil
            )
        } catch .unavailable(let reason, _) {
            // A web page did not come from the server.
            throw .noResponse(reason: reason)
        } catch {
            throw .accepted(reason: error.description)
        }
    }

    package func delete(_ current: StoredSalon) async throws(AttemptError) {
        guard let url = url(of: current.salon.id) else { throw .notConfigured }
        var request = HTTPRequest(method: .delete, url: url)
        request.headers["If-Match"] = current.entityTag
        let response = try await send(request)
        if response.status != 204 { throw AttemptError(toSalonChange: response) }
    }

    private func url(of id: SalonID) -> String? {
        list.map { EndpointURL($0).appending(path: id.description).text }
    }

    private func get(_ url: String) async throws(Failure) -> HTTPResponse {
        var request = HTTPRequest(method: .get, url: url, headers: ["Accept": "application/json"])
        request.headers["Cache-Control"] = "no-cache"
        request.staysOnOrigin = true
        request.totalTimeout = ListLimits.promptTimeout
        let response = try await reader.response(to: request)
        guard response.age ?? 0 == 0 else {
            throw .unavailable(reason: "a cache between here and the server sent an old salon")
        }
        return response
    }

    private func send(_ request: HTTPRequest) async throws(AttemptError) -> HTTPResponse {
        do { return try await sender.send(request.sentOnce) } catch {
            if error.reason == .noCredentials {
                throw .notAuthenticated(reason: error.description)
            }
            guard error.mayHaveBeenSent else { throw .notSent(reason: error.description) }
            throw .noResponse(reason: error.description)
        }
    }
}

extension HTTPSalonAPI {
    /// The keys of a salon that this program knows. Some servers also send the hours as text, which
    /// would be outdated after a change.
    private static let knownKeys: Set<String> = {
        guard case .object(let schema) = SalonCodec.schema else { return [] }
        return Set(schema.properties.map(\.name) + ["hours"])
    }()

    /// The JSON of `salon` without its version, followed by the members of the stored `json` that
    /// this program does not know.
    private static func body(_ salon: Salon, replacing json: [UInt8]) -> [UInt8] {
        var salon = salon
        salon.version = nil
        let stored = try? JSONDocument(parsing: json).root.object()
        return JSONFragment.object { writer in
            SalonCodec.writeMembers(of: salon, to: &writer)
            for (key, value) in stored?.map({ $0 }) ?? [] where !knownKeys.contains(key) {
                writer.member(named: key, JSONFragment { $0.value(value) })
            }
        }.bytes
    }

    /// How many appointments the server says that it has moved.
    private static func moved(in stored: StoredSalon) -> Int? {
        let object = try? JSONDocument(parsing: stored.json).root.object()
        return try? object?.optional("moved")?.integer()
    }

    /// Decodes a salon from a response to a request about the salon `id`.
    private static func stored(
        _ id: SalonID,
        in response: HTTPResponse
    ) throws(Failure) -> StoredSalon {
        let salon: Salon
        do { salon = try SalonCodec.decode(response.body) } catch {
            throw Failure(unreadable: response, because: error)
        }
        guard salon.id == id else {
            throw .invalidData(reason: "the server returned the salon \(salon.id) instead of \(id)")
        }
        // A weak tag never matches in `If-Match` (RFC 9110, section 13.1.1). Proxies that compress
        // make tags weak.
        let tag = response.headers["ETag"].flatMap(EntityTag.init)
        return StoredSalon(
            salon,
            entityTag: tag.flatMap { $0.isWeak ? nil : $0.description }
                ?? salon.version.map { "\"\($0)\"" },
            json: response.body
        )
    }
}

extension HTTPResponse {
    /// Whether the server says that it has no such salon.
    fileprivate var isMissingSalon: Bool {
        [404, 410].contains(status) && ErrorBody(self).kind == .salonNotFound
    }
}
