import Contract
package import Domain
import JSON
import Networking
import NovaBlendAccounts
import Synchronization

// Idempotency keys: whether the server honors them, and how to void one. Both paths have the same
// parent as the list of appointments.
extension HTTPBookingAPI {
    /// Asks `GET /openapi.json` whether bookings have the header `Idempotency-Key`. Does not ask again
    /// after a yes.
    package func statesKeySupport() async -> Bool {
        if hasKeySupport.load(ordering: .relaxed) { return true }
        guard let list = endpoints.appointments else { return false }
        let url = EndpointURL(list).parent.appending(path: "openapi.json").text
        var request = HTTPRequest(method: .get, url: url, headers: ["Accept": "application/json"])
        // Another origin cannot speak for the server.
        request.staysOnOrigin = true
        request.totalTimeout = ListLimits.promptTimeout
        request.maximumResponseBytes = 4 << 20
        guard let response = try? await optional.send(request), response.status == 200,
            KeySupport.isStated(in: response.body, at: EndpointURL(list).path)
        else { return false }
        hasKeySupport.store(true, ordering: .relaxed)
        return true
    }

    /// Voids a key with `DELETE /idempotency-keys/{key}`. The path has the same parent as the list
    /// of appointments. A key that cannot be part of a path cannot be voided.
    package func void(_ key: String) async throws(Failure) -> KeyVoidResult {
        guard let list = endpoints.appointments else { throw .notConfigured }
        let keys = EndpointURL(list).parent.appending(path: "idempotency-keys").text
        guard let url = Self.url(of: key, in: keys) else { return .unsupported }
        let response = try await sender.response(
            to: HTTPRequest(method: .delete, url: url).sentOnce
        )
        switch response.status {
        case 204: return .voided
        case 409:
            let body = ErrorBody(response)
            guard body.kind == .keyUsed else { throw Failure(unexpected: response) }
            return .used(body.report)
        case 404, 405, 501: return .unsupported
        default: throw Failure(unexpected: response)
        }
    }
}

/// Reads from an OpenAPI document whether bookings have the header `Idempotency-Key`.
enum KeySupport {
    /// Whether the operation `post` of the list at `path` has the header. The document's paths are
    /// relative to its servers, so `path` may be longer.
    static func isStated(in document: [UInt8], at path: String) -> Bool {
        let limits = JSONLimits(maximumBytes: document.count)
        guard let root = try? JSONDocument(parsing: document, limits: limits).root.object(),
            let paths = try? root.required("paths").object()
        else { return false }
        return paths.contains { template, item in
            guard template.count > 1, path.hasSuffix(template), let item = try? item.object(),
                let post = try? item.optional("post")?.object()
            else { return false }
            return [item, post].contains { hasKey($0, root) }
        }
    }

    private static func hasKey(_ owner: JSONObject, _ root: JSONObject) -> Bool {
        let parameters = try? owner.optional("parameters")?.array()
        return parameters?.contains { value in
            guard let parameter = try? resolve(value, root).object() else { return false }
            let location = try? parameter.required("in").string()
            let name = try? parameter.required("name").string()
            return location == "header" && name?.lowercased() == "idempotency-key"
        } ?? false
    }

    /// The parameter, which may be a reference to one below `components`.
    private static func resolve(_ value: JSONValue, _ root: JSONObject) throws -> JSONValue {
        let prefix = "#/components/parameters/"
        guard let reference = try value.object().optional("$ref")?.string(),
            reference.hasPrefix(prefix)
        else { return value }
        let parameters = try root.required("components").object().required("parameters").object()
        return parameters.member(named: String(reference.dropFirst(prefix.count))) ?? value
    }
}
