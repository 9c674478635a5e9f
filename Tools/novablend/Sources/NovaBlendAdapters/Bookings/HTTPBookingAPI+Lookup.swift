import Contract
package import Domain
import JSON
import Networking
import NovaBlendAccounts

extension HTTPBookingAPI {
    /// Requests the list with a unique query parameter, so that no cache can answer. If the server
    /// rejects the parameter, the request is repeated without it. That response may come from a
    /// cache, so it does not count as complete.
    package func lookUp() async throws(ServerError) -> ReportedAppointments {
        guard let list = endpoints.appointments else { throw .notConfigured }
        let response = try await get(CacheBypass.unique(list))
        if CacheBypass.mayBeRejected(response) {
            return try reported(in: try await get(list), isUnique: false)
        }
        return try reported(in: response, isUnique: true)
    }

    private func get(_ url: String) async throws(ServerError) -> HTTPResponse {
        var request = HTTPRequest(.get, url, headers: ["Accept": "application/json"])
        request.headers["Cache-Control"] = "no-cache"
        request.coalescing = .never
        do throws(HTTPClientError) {
            return try await reader.send(request)
        } catch {
            throw ServerError(error, ifTooLarge: ListSizeLimit.remedy)
        }
    }

    private func reported(
        in response: HTTPResponse,
        isUnique: Bool
    ) throws(ServerError) -> ReportedAppointments {
        guard response.status == 200 else { throw ServerError(unexpected: response) }
        do throws(JSONError) {
            let list = try ReportedAppointmentListCodec.decode(
                response.body,
                limits: JSONLimits(maximumBytes: response.body.count)
            )
            identity.note(subject: list.subject)
            return ReportedAppointments(
                list.appointments,
                isComplete: isUnique && !response.hasNextPage && response.headers["Age"] == nil,
                caller: identity.caller
            )
        } catch {
            throw .invalidData(reason: "the list of appointments violates the contract: \(error)")
        }
    }

    /// Voids a key with `DELETE /idempotency-keys/{key}`. The path has the same parent as the list
    /// of appointments.
    package func void(_ key: String) async throws(ServerError) -> KeyVoidResult {
        guard let list = endpoints.appointments else { throw .notConfigured }
        let url = EndpointURL(list).parent.appending(path: "idempotency-keys")
            .appending(path: key.percentEncoded)
        var request = HTTPRequest(.delete, url.text, headers: ["Accept": "application/json"])
        request.usesFreshConnection = true
        let response: HTTPResponse
        do throws(HTTPClientError) { response = try await sender.send(request) } catch {
            throw ServerError(error)
        }
        switch response.status {
        case 200, 204: return .voided
        case 409: return .used(ErrorBody(response).report)
        case 404, 405, 501: return .unsupported
        default: throw ServerError(unexpected: response)
        }
    }
}

extension HTTPResponse {
    /// Whether the list has another page (RFC 8288).
    fileprivate var hasNextPage: Bool {
        headers.fields.contains { field in
            field.name.lowercased() == "link"
                && field.value.lowercased().replacing("\"", with: "").replacing(" ", with: "")
                    .contains("rel=next")
        }
    }
}
