import Domain
import JSON
import JSONRPC
import NovaBlendAdapters
import NovaBlendChanges

extension AppointmentMethods {
    var reschedule: Method {
        change(
            "appointments/reschedule",
            "Gives an appointment another time, once: repeat with the same idempotencyKey to be "
                + "sure. Another version than the one that was seen is refused.",
            title: "Move an appointment",
            parameters: [Self.appointmentTime],
            result: "the appointment at its new time, and the key",
            effect: .changes(isIdempotent: true)
        )
    }

    var cancel: Method {
        change(
            "appointments/cancel",
            "Calls an appointment off, once; its slot is free again. Another version than the one "
                + "that was seen is refused.",
            title: "Cancel an appointment",
            result: "the cancelled appointment, and the key",
            effect: .changes(destroys: true, isIdempotent: true)
        )
    }

    private func change(
        _ name: String,
        _ summary: String,
        title: String,
        parameters: [Method.Parameter] = [],
        result: String,
        effect: Method.Effect
    ) -> Method {
        var method = Method(
            name,
            summary,
            title: title,
            parameters: [Self.id] + parameters + [
                Self.version, ConfirmedReply.key, DryRun.parameter,
            ],
            result: .init("appointment", result, schema: ConfirmedReply.schema),
            effect: effect,
            handler: answerChange
        )
        method.idempotencyParameter = ConfirmedReply.key.name
        method.confirmation = { params throws(RPCError) in
            if try DryRun.isWanted(params) { return nil }
            return try await question(ChangeCall(params))
        }
        return method
    }

    private static let id = Method.Parameter(
        "id",
        "the appointment's id, as appointments/list has it",
        isRequired: true,
        schema: Schemas.string
    )

    private static let version = Method.Parameter(
        "version",
        "the version that was seen: the appointment is left as it is when it has a later one by "
            + "now; without it the newest is meant",
        schema: Schemas.integer
    )

    private func answerChange(_ call: Call) async throws(RPCError) -> JSONFragment {
        let input = try ChangeCall(call.params)
        let isDryRun = try DryRun.isWanted(call.params)
        do throws(BookingError) {
            if isDryRun {
                let after = try await changing.preview(input.request, key: input.key).after
                return ConfirmedReply.reply(after, on: await clock(of: after))
            }
            call.report(input.action == .cancel ? "cancelling" : "rescheduling")
            let changed = try await changing.change(input.request, key: input.key)
            changes.announce("appointments")
            let after = changed.appointment
            let clock = await clock(of: after)
            return ConfirmedReply.reply(after, confirmation: changed, on: clock)
        } catch {
            throw RPCError(error, doing: input.action)
        }
    }

    /// The question for a person, with the salon and the times, and without personal data.
    private func question(_ input: ChangeCall) async throws(RPCError) -> String {
        let planned: BookingPreview
        do throws(BookingError) {
            planned = try await changing.preview(input.request, key: input.key)
        } catch {
            throw RPCError(error, doing: input.action)
        }
        let salon = await times.salon(planned.after.booking.salonID)
        let (place, clock) = (salon.place, salon.zonedClock)
        let before = TimeView(of: planned.before ?? planned.after, on: clock)
        switch input.action {
        case .cancel: return "Cancel the appointment at \(place), \(before)?"
        case .book, .reschedule:
            let after = TimeView(of: planned.after, on: clock)
            return "Move the appointment at \(place) from \(before) to \(after)?"
        }
    }

    private func clock(of appointment: Appointment) async -> SalonClock? {
        await times.zonedClock(of: appointment.booking.salonID)
    }
}
