import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters
import NovaBlendChanges

extension AppointmentMethods {
    var reschedule: Method {
        change(
            Self.reschedule,
            "Moves an appointment to a free time from \(SlotMethods.availability). Service, chosen "
                + "staff, and seats stay unless given. Fails if the appointment has changed since "
                + "the given version.",
            title: "Move an appointment",
            parameters: [
                Self.appointmentTime, BookingOptionParameters.service("a different service"),
                BookingOptionParameters.staff("a different staff member"),
                BookingOptionParameters.anyStaff,
                .init("seats", "a different number of seats", .positive),
            ],
            result: "the appointment at its new time, and the key of the change",
            // The time that it replaces is lost, and each repetition makes a new version.
            effect: .changes(destroys: true),
            errors: Self.slotErrors,
            example: """
                {"id": "\(ExampleID.appointment)", \
                "appointmentTime": "2027-03-02T14:30:00+01:00", "version": 1, \
                "idempotencyKey": "haircut-2"}
                """,
            attempt: .reschedule
        )
    }

    var cancel: Method {
        change(
            Self.cancel,
            "Cancels an appointment. Fails if it has changed since the given version.",
            title: "Cancel an appointment",
            result: "the cancelled appointment, and the key of the change",
            effect: .changes(destroys: true, isIdempotent: true),
            example: """
                {"id": "\(ExampleID.appointment)", "version": 1, "idempotencyKey": "haircut-3"}
                """,
            attempt: .cancel
        )
    }

    private func change(
        _ name: MethodName<ConfirmedReply>,
        _ summary: String,
        title: String,
        parameters: @escaping @autoclosure @Sendable () -> [Method.Parameter] = [],
        result: String,
        effect: Method.Effect,
        errors: [ProgramError] = [],
        example: String,
        attempt action: BookingAction.Name
    ) -> Method {
        Method(
            name,
            summary,
            title: title,
            parameters: [Self.id] + parameters() + [
                Self.version, ConfirmedReply.key, DryRun.parameter,
            ],
            result: .init("appointment", result, schema: ConfirmedReply.schema),
            effect: effect,
            data: Self.data,
            errors: Self.sendingErrors + errors + [.appointmentNotFound, .versionConflict],
            example: example,
            exampleFollows: [Self.book.name],
            confirmation: { params in
                try await confirmation(before: ChangeCall(params))
            },
            appUse: .callable,
            attempt: .booking(action),
            handler: handleChange
        )
    }

    private static let id = Method.Parameter(
        "id",
        "from \(AppointmentMethods.list)",
        isRequired: true
    )

    private static let version = Method.Parameter(
        "version",
        "the expected version; by default the current one",
        .integer
    )

    private func handleChange(_ call: Call) async throws -> ConfirmedReply {
        let input = try ChangeCall(call.params)
        let isDryRun = try DryRun.isWanted(call.params)
        if isDryRun {
            let after = try await changing.preview(input.request, key: input.key).after
            let salon = await salon(of: after)
            return ConfirmedReply(
                after,
                at: salon,
                warnings: await warnings(about: after, at: salon)
            )
        }
        call.report(input.action == .cancel ? "cancelling" : "rescheduling")
        let changed = try await changing.change(input.request, key: input.key)
        changes.announce(AppointmentListCodec.name)
        let after = changed.appointment
        var salon = await salon(of: after)
        await salon.reload(ifNotOnClock: after.booking.time)
        let warnings = await warnings(about: after, at: salon, .cacheOnly)
        return ConfirmedReply(after, confirmation: changed, at: salon, warnings: warnings)
    }

    /// The question before a change; nil if the change was already made. Throws every error that
    /// can be detected before the change is sent.
    ///
    /// The confirmed change applies only to the version that the question shows, because the person has
    /// seen no other version.
    private func confirmation(
        before input: ChangeCall
    ) async throws -> Method.Confirmation? {
        let preview = try await changing.preview(input.request, key: input.key)
        if preview.isDone { return nil }
        try booking.checkJournal()
        let before = preview.before ?? preview.after
        let salon = await salon(of: before)
        var pinned = ConfirmedReply.pinnedKey(of: preview)
        if preview.repeatedKey == nil, let version = before.version {
            pinned[Self.version.name] = JSONFragment { $0.integer(version) }
        }
        let isMove = input.action == .reschedule
        let shown = AppointmentDetails(appointment: isMove ? preview.after : before, salon: salon)
        let warnings = isMove ? await warnings(about: preview.after, at: salon) : []
        return Method.Confirmation(
            question: isMove ? "Move this appointment?" : "Cancel this appointment?",
            details: shown.lines(before: isMove ? before : nil) + warnings.map(\.line),
            pinnedArguments: pinned
        )
    }

    func salon(of appointment: Appointment) async -> RequestedSalon {
        await times.salon(appointment.booking.salonID)
    }
}
