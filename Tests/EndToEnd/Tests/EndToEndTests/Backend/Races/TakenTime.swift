import JSON
import SystemTestSupport

/// A time at which a staff member or seats of a salon are taken, including buffers.
struct TakenTime: Sendable {
    /// The id of the appointment or hold.
    let owner: String
    let salon: RaceSalon
    /// The taken time, in minutes after the beginning of January 2, 2040.
    let minutes: Range<Int>
    let staffID: String?
    let seats: Int

    init(_ owner: String, _ booking: RaceBooking) {
        self.owner = owner
        salon = booking.salon
        let length = booking.serviceID.flatMap { RaceSalon.services[$0] } ?? (0, 30, 0)
        let end = booking.start + length.minutes + length.after
        minutes = (booking.start - length.before)..<end
        staffID = booking.staffID
        seats = booking.seats
    }
}

extension [TakenTime] {
    /// How many staff members or seats are free at a salon from `start` to `end`, and fewer than 0
    /// if one of them is taken twice.
    func free(at salon: RaceSalon, _ time: Range<Int>) -> Int {
        let overlapping = filter { $0.salon == salon && $0.minutes.overlaps(time) }
        switch salon {
        case .staffed: return salon.capacity - Set(overlapping.map(\.staffID)).count
        case .seated:
            let loads = time.map { minute in
                overlapping.filter { $0.minutes.contains(minute) }.reduce(0) { $0 + $1.seats }
            }
            return salon.capacity - (loads.max() ?? 0)
        }
    }

    /// The times at which a staff member is taken twice, or more seats are taken than there are.
    var conflicts: [String] {
        indices.compactMap { index in
            let taken = self[index]
            if taken.salon == .seated {
                let free = free(at: .seated, taken.minutes)
                return free < 0 ? "\(taken) is one of too many: \(free)" : nil
            }
            let other = self[..<index].first {
                $0.salon == .staffed && $0.staffID == taken.staffID
                    && $0.minutes.overlaps(taken.minutes)
            }
            return other.map { "\(taken) overlaps \($0)" }
        }
    }
}

/// An appointment at a `RaceSalon`, as it is listed or returned.
struct RaceAppointment: Sendable {
    let id: String
    let version: Int
    /// The key that booked it.
    let key: String?
    let isCancelled: Bool
    let taken: TakenTime
    /// The end, without a buffer.
    let end: Int
    let start: Int
    /// The JSON of the appointment.
    let text: String

    /// Returns nil for an appointment at a different salon, and for a hold.
    init?(_ object: JSONObject) throws {
        guard object["expiresAt"] == nil,
            let salon = RaceSalon(rawValue: try object.optional("salonId")?.string() ?? "")
        else { return nil }
        id = try object.required("id").string()
        version = try object.required("version").integer()
        key = try object.optional("idempotencyKey")?.string()
        isCancelled = try object.optional("status")?.string() == "cancelled"
        start = try RaceBooking.minutes(of: object.required("appointmentTime").string())
        end = try RaceBooking.minutes(of: object.required("endTime").string())
        var booking = RaceBooking(salon: salon, start: start)
        booking.serviceID = try object.optional("serviceId")?.string()
        booking.staffID = try object.optional("staffId")?.string()
        booking.seats = try object.optional("seats")?.integer() ?? 1
        taken = TakenTime(id, booking)
        text = object.text
    }

    /// Reads the body of a response. Returns nil if it is an error.
    init?(_ response: ReceivedResponse?) throws {
        guard let response, [200, 201].contains(response.status) else { return nil }
        try self.init(response.object())
    }
}
