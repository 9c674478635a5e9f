import BookingStorage
import Contract
import Domain
import HTTPServing

extension Routes {
    func availability(_ id: String, _ request: ServerRequest) async throws -> ServerResponse {
        let salon = try await salon(id)
        let start = try instant("start", request)
        let end = try instant("end", request)
        guard (0...Schedule.maximumRangeSeconds).contains(end.instant.seconds(since: start.instant))
        else {
            throw Problem(422, "invalidRange", "end must be 0 to 31 days after start")
        }
        let slots = try await slots(of: salon, from: start, to: end.instant)
        return ServerResponse(status: 200, body: SlotListCodec.encode(slots))
    }

    private func instant(_ name: String, _ request: ServerRequest) throws -> AppointmentTime {
        // A plus that is not percent-encoded arrives as a space.
        let text = request.query[name]?.split(separator: " ").joined(separator: "+")
        guard let time = text.flatMap({ ISO8601.parse($0) }) else {
            throw Problem(422, "invalidRange", "\(name) must be an ISO 8601 time with an offset")
        }
        return time
    }

    private func slots(
        of salon: Salon,
        from: AppointmentTime,
        to: Timestamp
    ) async throws -> [Slot] {
        // The last slot may end after the range.
        let end = to.advanced(bySeconds: 86_400)
        let busy = try await store.busyIntervals(of: salon.id, from: from.instant, to: end)
        return try schedule(of: salon, for: from)
            .slots(from: from.instant, to: to, busy: busy, now: clock.now)
    }

    func schedule(of salon: Salon, for time: AppointmentTime) throws -> Schedule {
        let offset = time.offsetMinutes
        let clock = try SalonClock(of: salon, zones: zones, offsetMinutes: offset)
        return Schedule(of: salon, on: clock)
    }

    /// Up to three free slots that begin after both `time` and now, within two days.
    func alternatives(
        to time: AppointmentTime,
        in salon: Salon
    ) async throws -> [AppointmentTime] {
        let start = max(time.instant, clock.now)
        let end = start.advanced(bySeconds: 3 * 86_400)
        let busy = try await store.busyIntervals(of: salon.id, from: start, to: end)
        return try schedule(of: salon, for: time).alternatives(
            to: start,
            busy: busy,
            now: clock.now
        )
    }
}
