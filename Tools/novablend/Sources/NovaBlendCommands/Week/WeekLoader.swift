import CommandLineKit
import JSON
import JSONRPC
import NovaBlendMethods

/// Loads a week of a salon: the salon, its free times, for each staff member if there are any, and
/// its appointments.
enum WeekLoader {
    /// The members of appointments that a week needs.
    private static let fields = [
        "salonId", "appointmentTime", "endTime", "phone", "status", "version", "serviceId",
        "staffId", "seats", "service", "staff", "staffAssigned", "own",
    ]

    /// Returns an object with the members `salon`, `availability`, and `appointments`, and with
    /// `staffId` if the parameters have it. Each availability has the `staffId` that it is for.
    @Sendable static func load(
        _ params: Parameters,
        _ invoker: MethodInvoker
    ) async throws(CommandError) -> MethodResult {
        var salonParams = Parameters()
        salonParams["id"] = params["salonId"]
        let salon = try await invoker.call(SalonMethods.get, salonParams)
        let ids = staffIDs(of: salon.object, params)
        let availability = try await availability(of: ids, params, invoker)
        var appointmentParams = Parameters()
        for name in ["salonId", "start", "end"] { appointmentParams[name] = params[name] }
        appointmentParams["fields"] = JSONFragment(strings: fields)
        let appointments = try await invoker.call(AppointmentMethods.list, appointmentParams)
        let combined = ObjectFragment { writer in
            writer.member("salon", salon.object.fragment("salon"))
            writer.member("staffId", params["staffId"])
            writer.member("availability", availability)
            for name in ["appointments", "provenance"] as [StaticString] {
                writer.member(name, appointments.object.fragment(name))
            }
        }
        do throws(RPCError) { return try MethodResult(combined.fragment) } catch {
            throw CommandError(error)
        }
    }

    /// The staff members whose free times are shown: all who offer the service, or the one that the
    /// parameters name. The result is a single nil if the salon has no staff.
    private static func staffIDs(of result: JSONObject, _ params: Parameters) -> [JSONFragment?] {
        if let id = params["staffId"] { return [id] }
        let service = params["serviceId"]
        let ids = (result.child("salon")?.objects("staff") ?? []).compactMap { member in
            let offered = try? member.optional("services")?.array().map { value in
                JSONFragment { $0.value(value) }
            }
            if let service, let offered, !offered.contains(service) { return nil as String? }
            return member.text("id")
        }
        return ids.isEmpty ? [nil] : ids.map { id in JSONFragment { $0.string(id) } }
    }

    /// The availability of each staff member, as a JSON array in the same order.
    private static func availability(
        of staffIDs: [JSONFragment?],
        _ params: Parameters,
        _ invoker: MethodInvoker
    ) async throws(CommandError) -> JSONFragment {
        let calls = staffIDs.map { id in
            Task { () async -> Result<JSONFragment, CommandError> in
                var params = params
                params["staffId"] = id
                do throws(CommandError) {
                    let result = try await invoker.call(SlotMethods.availability, params).encoded
                    return .success(id.map { result.addingMember("staffId", $0) } ?? result)
                } catch {
                    return .failure(error)
                }
            }
        }
        var results: [JSONFragment] = []
        for call in calls {
            let result = await withTaskCancellationHandler {
                await call.value
            } onCancel: {
                call.cancel()
            }
            results.append(try result.get())
        }
        return JSONFragment { writer in
            writer.array { writer in for result in results { writer.raw(result) } }
        }
    }
}
