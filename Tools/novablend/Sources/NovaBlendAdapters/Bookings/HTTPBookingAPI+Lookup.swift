import Contract
package import Domain
import JSON
import Networking
import NovaBlendAccounts
import Synchronization

extension HTTPBookingAPI {
    /// Requests all pages of the list with a unique query parameter, so that no cache can answer. If
    /// the server rejects the parameter, the request is repeated without it. That response may come
    /// from a cache, so it does not count as complete. A redirect to a different origin, which would
    /// not receive the caller's credentials, is an error.
    package func lookUp() async throws(Failure) -> ReportedAppointments {
        guard let list = endpoints.appointments else { throw .notConfigured }
        var request = HTTPRequest(method: .get, url: list, headers: ["Accept": "application/json"])
        request.headers["Cache-Control"] = "no-cache"
        request.staysOnOrigin = true
        var pages = ListPages(request, bypass: .unique(), client: reader, limits: limits)
        var lists: [[ReportedAppointment]] = []
        var subject: String?
        var (isOld, mayBeOld) = (false, false)
        while let response = try await pages.next() {
            switch dateLag.judge(response) {
            case .current: break
            case .unknown: mayBeOld = true
            case .old: isOld = true
            }
            let page = try Self.decode(response)
            if let subject, let other = page.subject, subject != other {
                throw .invalidData(
                    reason: "the pages of the list of appointments belong to different callers"
                )
            }
            subject = subject ?? page.subject
            lists.append(page.appointments)
        }
        identity.withLock { identity in
            identity.subject = subject.flatMap { KnownSubjects.pseudonym(of: $0, at: list) }
        }
        let joined = ReportedAppointmentListCodec.join(lists)
        return ReportedAppointments(
            joined.appointments,
            isComplete: pages.isReliable && joined.isCertain && !isOld,
            mayPrecedeRequest: pages.mayPrecedeRequest || mayBeOld,
            caller: caller
        )
    }

    private static func decode(
        _ response: HTTPResponse
    ) throws(Failure) -> (appointments: [ReportedAppointment], subject: String?) {
        do {
            return try ReportedAppointmentListCodec.decode(
                response.body,
                limits: JSONLimits(maximumBytes: response.body.count)
            )
        } catch {
            throw .invalidData(reason: "the list of appointments violates the contract: \(error)")
        }
    }
}
