import CommandLineKit
import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendMethods

/// A week of a salon: the replies with the salon, its free times, for each staff member if there are
/// any, and its appointments.
struct WeekReply: Reply {
    /// The members of appointments that a week needs.
    private static let fields = [
        "salonId", "appointmentTime", "start", "end", "zone", "weekday", "phone", "status",
        "version", "serviceId", "staffId", "seats", "service", "staff", "staffAssigned", "price",
        "own",
    ]

    let salon: SalonReply
    /// The free times of each staff member, or those of the salon.
    let availability: [(staffID: String?, reply: AvailabilityReply)]
    let appointments: AppointmentListReply
    /// The only staff member who is shown; nil for all.
    let staffID: String?

    @Sendable static func load(
        _ params: Parameters,
        _ invoker: MethodInvoker
    ) async throws(CommandError) -> WeekReply {
        var salonParams = Parameters()
        salonParams["id"] = params["salonId"]
        let salon = try await invoker.call(SalonMethods.get, salonParams)
        let ids = staffIDs(of: salon.salon, params)
        let availability = try await availability(of: ids, params, invoker)
        var appointmentParams = Parameters()
        appointmentParams["salonId"] = params["salonId"]
        // The last day may end after midnight.
        if let range = availability.first?.reply.availability.range {
            appointmentParams.set("start", ISO8601.formatUTC(range.lowerBound))
            appointmentParams.set("end", ISO8601.formatUTC(range.upperBound))
        }
        appointmentParams["fields"] = JSONFragment(strings: fields)
        return WeekReply(
            salon: salon,
            availability: availability,
            appointments: try await invoker.call(AppointmentMethods.list, appointmentParams),
            staffID: params.text("staffId")
        )
    }

    /// The staff members whose free times are shown: all who offer the service, or the one that the
    /// parameters name. The result is a single nil if the salon has no staff.
    private static func staffIDs(of salon: Salon, _ params: Parameters) -> [String?] {
        if let id = params.text("staffId") { return [id] }
        let service = params.text("serviceId")
        let ids = salon.staff.filter { $0.offers(service) }.map(\.id)
        return ids.isEmpty ? [nil] : ids
    }

    private static func availability(
        of staffIDs: [String?],
        _ params: Parameters,
        _ invoker: MethodInvoker
    ) async throws(CommandError) -> [(staffID: String?, reply: AvailabilityReply)] {
        let calls = staffIDs.map { id in
            Task { () async -> Result<AvailabilityReply, CommandError> in
                var params = params
                if let id { params.set("staffId", id) }
                do throws(CommandError) {
                    return .success(try await invoker.call(SlotMethods.availability, params))
                } catch {
                    return .failure(error)
                }
            }
        }
        var replies: [(staffID: String?, reply: AvailabilityReply)] = []
        for (id, call) in zip(staffIDs, calls) {
            let result = await withTaskCancellationHandler {
                await call.value
            } onCancel: {
                call.cancel()
            }
            replies.append((id, try result.get()))
        }
        return replies
    }

    /// Encodes an object with the members `salon`, `availability`, and `appointments`, and with
    /// `staffId` if only one staff member is shown. Each availability has the `staffId` that it is for.
    func encode() throws(RPCError) -> ObjectFragment {
        let salon = try? JSONDocument(ofOwn: salon.encode().fragment).root.object()
        return ObjectFragment { writer in
            // Unlike those of other replies, the salon's opening hours have no trailing zeros.
            writer.member(
                "salon",
                salon?["salon"].map { salon in JSONFragment { $0.value(salon) } }
            )
            writer.member("staffId", staffID)
            writer.array("availability") { writer in
                for (id, reply) in availability {
                    let encoded = reply.encode().fragment
                    let staffID = id.map { id in JSONFragment { $0.string(id) } }
                    writer.raw(staffID.map { encoded.addingMember("staffId", $0) } ?? encoded)
                }
            }
            appointments.writeAppointments(to: &writer)
            appointments.writeProvenance(to: &writer)
        }
    }

    /// The week as it is shown; nil if there are no times.
    var week: Week? {
        guard let first = availability.first?.reply.availability else { return nil }
        return Week(
            of: salon.salon,
            now: first.now,
            from: first.range.lowerBound,
            zone: first.clock.zone?.name,
            times: availability.map { staffID, reply in
                WeekTimes(staffID: staffID, days: reply.countedDays)
            },
            bookings: appointments.appointments.map {
                WeekBooking(appointment: $0.view.appointment, isOwn: $0.isOwn)
            },
            staffID: staffID
        )
    }
}

extension AvailabilityReply {
    /// The days, in which a time states how many staff members or seats are free only if there are
    /// several.
    fileprivate var countedDays: [AvailableDay] {
        days.map { day in
            if freeCounts(on: day) != nil { return day }
            var day = day
            for index in day.times.indices { day.times[index].free = nil }
            return day
        }
    }
}
