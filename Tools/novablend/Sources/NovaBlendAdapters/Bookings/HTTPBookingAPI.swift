import Contract
package import Domain
import JSON
package import Networking
package import NovaBlendAccounts
import Synchronization
import WebPrimitives

/// Sends bookings and lookups to the server over HTTP.
package final class HTTPBookingAPI: BookingAPI {
    let endpoints: Endpoints
    /// Sends bookings and changes. It must not retry requests, because the use case decides about
    /// retries.
    let sender: any HTTPClient
    /// Sends lookups. It must not let requests share a response.
    let reader: any HTTPClient
    /// Requests what a booking can do without.
    let optional: any HTTPClient
    /// Requests slots. Equal requests share a response, unless there was a change between them.
    private let slotReader: any HTTPClient
    /// The limits of the list that a lookup requests.
    let limits: ListLimits
    /// The source of the credentials, and the subject if the server names one.
    let identity: Mutex<Caller>
    /// Shows whether a cache may have answered a lookup.
    let dateLag = DateLag()
    /// Whether the server has stated that it honors idempotency keys.
    let hasKeySupport = Atomic(false)

    /// Creates the API. `optional` requests what a booking can do without; by default, `reader` does.
    /// `credential` says where the credentials come from.
    package init(
        endpoints: Endpoints,
        sender: any HTTPClient,
        reader: any HTTPClient,
        optional: (any HTTPClient)? = nil,
        limits: ListLimits,
        credential: String,
        counter: any ChangeCounter
    ) {
        self.endpoints = endpoints
        self.sender = sender
        self.reader = reader
        self.optional = optional ?? reader
        slotReader = CoalescingHTTPClient(self.optional) { counter.value }
        self.limits = limits
        identity = Mutex(Caller(credential: credential))
    }

    package var caller: Caller { identity.withLock(\.self) }

    package func availability(
        for request: BookingRequest,
        moving id: String?,
        now: Timestamp
    ) async throws(Failure) -> SlotAvailability {
        let start = request.time.instant
        var search = AlternativeSearch(around: request.time, now: now)
        func slots(
            in range: Range<Timestamp>,
            enough: Int?
        ) async throws(Failure) -> OfferedSlots {
            let offset = request.time.offsetMinutes
            return try await self.slots(
                SlotRequest(
                    salonID: request.salonID,
                    start: AppointmentTime(instant: range.lowerBound, offsetMinutes: offset),
                    end: AppointmentTime(instant: range.upperBound, offsetMinutes: offset),
                    options: request.options,
                    movedID: id,
                    enough: enough
                )
            )
        }
        func free(_ list: SlotList, in range: Range<Timestamp>) -> [AppointmentTime] {
            list.slots.filter { $0.isAvailable && range.contains($0.start.instant) }.map(\.start)
        }
        let near = search.nextRange ?? start..<start
        let first = min(start, near.lowerBound)..<max(start.advanced(bySeconds: 1), near.upperBound)
        // Request one more than is needed, because the requested time may be one of them.
        let offered = try await slots(in: first, enough: AlternativeSearch.count + 1)
        guard case .slots(let list) = offered else {
            return offered == .salonNotFound ? .salonNotFound : .unsupported
        }
        // If no slot begins at this time, the server must decide.
        guard let slot = list.slots.first(where: { $0.start.instant == start }) else {
            return .unsupported
        }
        if slot.isAvailable { return .available(later: Array(free(list, in: near).prefix(2))) }
        search.add(free(list, in: near))
        while let range = search.nextRange,
            case .slots(let more)? = try? await slots(in: range, enough: search.enough)
        {
            search.add(free(more, in: range))
        }
        let isFree = slot.free.map { $0 >= request.options.seats } ?? false
        return isFree
            ? .notOffered(alternatives: search.times) : .taken(alternatives: search.times)
    }

    package func assignedStaffID(
        for request: BookingRequest,
        moving id: String?
    ) async -> String? {
        let start = request.time
        let end = AppointmentTime(
            instant: start.instant.advanced(bySeconds: 1),
            offsetMinutes: start.offsetMinutes
        )
        let offered = try? await slots(
            SlotRequest(
                salonID: request.salonID,
                start: start,
                end: end,
                options: request.options,
                movedID: id,
                isAssigned: true
            )
        )
        guard case .slots(let list)? = offered else { return nil }
        return list.assignedStaffID
    }

    package func book(
        _ booking: BookingRequest,
        key: String
    ) async throws(AttemptError) -> ReportedAppointment {
        guard let url = endpoints.appointments else { throw .notConfigured }
        var request = HTTPRequest(
            method: .post,
            url: url,
            body: BookingRequestCodec.encode(booking)
        )
        request.headers["Content-Type"] = "application/json"
        let response = try await send(request, key: key)
        guard response.status == 200 || response.status == 201 else {
            throw AttemptError(response)
        }
        return try Self.echo(in: response)
    }

    /// Sends `request` once, on a new connection, with the idempotency key `key` unless it is nil.
    package func send(
        _ request: HTTPRequest,
        key: String?
    ) async throws(AttemptError) -> HTTPResponse {
        var request = request.sentOnce
        request.headers["Idempotency-Key"] = key
        do {
            let response = try await sender.send(request)
            // No cache answers it, so it shows how far the clocks differ.
            _ = dateLag.judge(response)
            return response
        } catch {
            if error.reason == .noCredentials {
                throw .notAuthenticated(reason: error.description)
            }
            guard error.mayHaveBeenSent else { throw .notSent(reason: error.description) }
            throw .noResponse(reason: error.description, resending: Resending(after: error))
        }
    }

    /// Decodes the body of a 200 or 201. If that fails, the booking still counts as accepted,
    /// unless the body is a web page, which did not come from the server.
    package static func echo(in response: HTTPResponse) throws(AttemptError)
        -> ReportedAppointment
    {
        if response.isWebPage {
            throw .noResponse(reason: "the network returned a web page instead of a confirmation")
        }
        do {
            return try ReportedAppointmentCodec.decode(response.body)
        } catch {
            throw .accepted(reason: "the server's confirmation cannot be read: \(error)")
        }
    }
}

extension HTTPRequest {
    /// Returns this request with the properties of a change: it is sent once, on a new connection,
    /// and the response has the default size limit, even if lists may be larger.
    var sentOnce: HTTPRequest {
        var request = self
        request.headers["Accept"] = "application/json"
        request.usesFreshConnection = true
        request.maximumResponseBytes = HTTPLimits().maximumBodyBytes
        return request
    }
}

extension HTTPBookingAPI: SlotSource {
    package func slots(_ slots: SlotRequest) async throws(Failure) -> OfferedSlots {
        guard let template = endpoints.availability else { return .unsupported }
        let url = EndpointURL(template.replacing("{id}", with: slots.salonID.description))
            .adding(SlotQueryCodec.parameters(of: slots))
        var request = HTTPRequest(
            method: .get,
            url: url.text,
            headers: ["Accept": "application/json"]
        )
        request.headers["Cache-Control"] = "no-cache"
        var pages = ListPages(
            request,
            bypass: nil,
            client: slotReader,
            limits: limits,
            finalStatuses: [404, 405]
        )
        var list = SlotList([])
        var available = 0
        while available < slots.enough ?? .max, let response = try await pages.next() {
            guard response.status == 200 else {
                return ErrorBody(response).kind == .salonNotFound ? .salonNotFound : .unsupported
            }
            let page: SlotList
            do {
                page = try SlotListCodec.decode(response.body)
            } catch {
                throw Failure(unreadable: response, because: error)
            }
            list.append(page)
            available += page.slots.count(where: \.isAvailable)
        }
        return .slots(list)
    }
}

extension HTTPBookingAPI {
    package func change(
        _ change: AppointmentChange,
        key: String
    ) async throws(AttemptError) -> ReportedAppointment {
        guard let list = endpoints.appointments else { throw .notConfigured }
        guard let url = Self.url(of: change.id, in: list) else {
            throw .unsupported(reason: "the appointment's id cannot be part of a URL")
        }
        var request = HTTPRequest(method: .delete, url: url)
        if case .reschedule(let time, let options) = change.kind {
            request = HTTPRequest(method: .patch, url: url, body: Self.body(time, options))
            request.headers["Content-Type"] = "application/json"
        }
        request.headers["If-Match"] = "\"\(change.version)\""
        let response = try await send(request, key: key)
        guard response.status == 200 || response.status == 201 else {
            throw AttemptError(response, to: change)
        }
        return try Self.echo(in: response)
    }

    /// The URL of an element below the list; nil if the id cannot be a path segment.
    package static func url(of id: String, in list: String) -> String? {
        guard !["", ".", ".."].contains(id) else { return nil }
        return EndpointURL(list).appending(path: id.percentEncoded).text
    }

    private static func body(_ time: AppointmentTime, _ options: OptionsChange) -> [UInt8] {
        JSONFragment.object { writer in
            writer.member("appointmentTime", time, as: AppointmentTimeCodec.self)
            OptionsChangeCodec.writeMembers(of: options, to: &writer)
        }.bytes
    }
}

/// Holds times with `POST /holds`, reads holds with `GET /holds/{id}`, and releases them with `DELETE /holds/{id}`.
extension HTTPBookingAPI: HoldAPI {
    package func hold(
        _ booking: BookingRequest,
        minutes: Int?,
        key: String
    ) async throws(AttemptError) -> GrantedHold {
        guard let url = endpoints.holds else { throw .unsupported(reason: Self.noHolds) }
        var request = HTTPRequest(method: .post, url: url, body: Self.body(booking, minutes))
        request.headers["Content-Type"] = "application/json"
        let response = try await send(request, key: key)
        guard response.status == 200 || response.status == 201 else {
            throw AttemptError(aboutHold: response)
        }
        if response.isWebPage {
            throw .noResponse(reason: "the network returned a web page instead of a confirmation")
        }
        do {
            return GrantedHold(try HoldCodec.decode(response.body), serverTime: response.serverTime)
        } catch {
            let reason = "the server's confirmation cannot be read: \(error)"
            throw .accepted(reason: reason)
        }
    }

    package func held(_ id: String) async throws(AttemptError) -> GrantedHold? {
        guard let list = endpoints.holds, let url = Self.url(of: id, in: list) else { return nil }
        let response = try await send(HTTPRequest(method: .get, url: url), key: nil)
        guard response.status == 200, let hold = try? HoldCodec.decode(response.body) else {
            return nil
        }
        return GrantedHold(hold, serverTime: response.serverTime)
    }

    package func release(_ id: String) async throws(AttemptError) {
        guard let list = endpoints.holds else { throw .unsupported(reason: Self.noHolds) }
        guard let url = Self.url(of: id, in: list) else {
            throw .notFound(reason: "no hold can have this id")
        }
        let response = try await send(HTTPRequest(method: .delete, url: url), key: nil)
        let hasEnded = response.status == 410 && ErrorBody(response).kind == .holdNotFound
        if response.status != 204, !hasEnded { throw AttemptError(aboutHold: response) }
    }

    private static let noHolds = "no URL for holds is configured"

    private static func body(_ booking: BookingRequest, _ minutes: Int?) -> [UInt8] {
        let booking = JSONFragment { BookingRequestCodec.write(booking, to: &$0) }
        guard let minutes else { return booking.bytes }
        return booking.addingMember("minutes", JSONFragment { $0.integer(minutes) }).bytes
    }
}

extension HTTPResponse {
    /// The time of the response by the server's clock; nil if it sent no valid `Date`.
    fileprivate var serverTime: Timestamp? {
        headers["Date"].flatMap { HTTPDate($0, now: SystemRetryClock().date) }
            .map { Timestamp(secondsSince1970: Int64($0.secondsSince1970)) }
    }
}

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

/// Judges by `Date` whether a cache may have answered a lookup, although the request has a unique
/// parameter. Such a cache ignores the query, and may send no `Age`.
///
/// A `Date` in the past can also mean that the server's clock is behind, or this machine's ahead. Then
/// the difference is the same for each response, while that of a cached response grows.
final class DateLag: Sendable {
    enum Judgment: Equatable {
        /// `Date` shows no sign of a cache.
        case current
        /// There is no earlier response to compare with, so the lookup must be repeated.
        case unknown
        /// The difference has grown.
        case old
    }

    /// The difference in seconds that is not taken for an age.
    private static let tolerance = 60

    /// The difference of the last response.
    private let last = Mutex<Int?>(nil)

    /// Judges a response, and remembers it for the next one.
    func judge(_ response: HTTPResponse) -> Judgment {
        guard let lag = response.dateLag(now: SystemRetryClock().date) else { return .current }
        let earlier = last.withLock { last in
            defer { last = lag }
            return last
        }
        if lag <= Self.tolerance { return .current }
        guard let earlier else { return .unknown }
        // `Date` has whole seconds.
        return lag <= earlier + 1 ? .current : .old
    }
}
