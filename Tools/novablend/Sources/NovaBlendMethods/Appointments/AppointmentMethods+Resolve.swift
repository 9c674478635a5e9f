import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAccounts
import NovaBlendAdapters
import NovaBlendChanges

extension AppointmentMethods {
    var resolve: Method {
        Method(
            Self.resolve,
            "Finds out the outcome of bookings and changes in doubt, without sending them again.",
            title: "Resolve bookings in doubt",
            parameters: [Self.key, Self.discard, DryRun.parameter],
            result: .init(
                "resolutions",
                "one entry for each booking or change in doubt; with `idempotencyKey`, only the entry of "
                    + "that key, even if its outcome is already known; if there is none, `hint` says what "
                    + "that means",
                schema: ResolutionsReply.schema
            ),
            effect: .changes(destroys: true, isIdempotent: true),
            data: Self.data,
            errors: [.journalUnavailable, .bookingInDoubt],
            exampleFollows: [Self.book.name],
            confirmation: { params in
                guard let key = try params.string(Self.discard.name) else { return nil }
                return try await confirmation(beforeDiscarding: key)
            },
            appUse: .callable,
            attempt: .booking(.book)
        ) { [self] call in
            let isDryRun = try DryRun.isWanted(call.params)
            let resolutions = try await Self.resolutions(call, isDryRun, resolution)
            if resolutions.contains(where: \.isDone) { changes.announce(AppointmentListCodec.name) }
            let present = await presentStates(of: resolutions, call, isDryRun)
            return ResolutionsReply(
                resolutions: await reported(resolutions, present),
                hint: resolutions.isEmpty ? try hint(about: call) : nil,
                accounts: otherAccounts,
                isDryRun: isDryRun
            )
        }
    }

    /// What became of each appointment that was booked or moved, by the key: it may have been changed
    /// since. Only the caller of a key asks for that. A preview sends nothing.
    private func presentStates(
        of resolutions: [ResolveBookings.Resolution],
        _ call: Call,
        _ isDryRun: Bool
    ) async -> [String: PresentState] {
        let done = resolutions.compactMap { resolution in
            if case .done(let stored) = resolution.outcome {
                (resolution.intent.key, stored)
            } else {
                nil
            }
        }
        guard !done.isEmpty, (try? call.params.string(Self.key.name)) ?? nil != nil else {
            return [:]
        }
        let loaded: Result<Loaded<[Appointment]>, Failure>
        do {
            loaded = .success(try await loader.load(isDryRun ? .cacheOnly : .serverFirst))
        } catch {
            loaded = .failure(error)
        }
        return Dictionary(done.map { ($0, PresentState(of: $1, in: loaded)) }) { $1 }
    }

    /// What it means that there is no entry; nil if the call names no key.
    private func hint(about call: Call) throws(RPCError) -> String? {
        guard let key = try call.params.string(Self.key.name) else { return nil }
        return (try? resolution.isDropped(key)) == true
            ? "the server rejected the request with this key, or it was discarded; the list of "
                + "appointments shows what is booked"
            : "this key is not known here, which does not mean that nothing was booked: a different "
                + "program, machine, or account may have used it, or it is too old; look for the "
                + "appointment in the list of appointments, for instance by the last digits of the phone "
                + "number, before booking again"
    }

    private func confirmation(
        beforeDiscarding key: String
    ) async throws -> Method.Confirmation {
        let action = try resolution.previewDiscarding(key).intent.action
        try booking.checkJournal()
        let details = AppointmentDetails(
            appointment: action.outcome,
            salon: await salon(of: action.outcome)
        )
        return Method.Confirmation(
            question: "Discard this \(action.name.noun) without knowing whether it was done?",
            details: details.lines() + ["Key: \(VisibleText.line(key))"]
        )
    }

    private static let discard = Method.Parameter(
        "discard",
        "the idempotencyKey of a booking or change in doubt to discard"
    )

    private static let key = Method.Parameter(
        "idempotencyKey",
        "only the booking or change with this key"
    )

    private static func resolutions(
        _ call: Call,
        _ isDryRun: Bool,
        _ resolution: ResolveBookings
    ) async throws -> [ResolveBookings.Resolution] {
        if let key = try call.params.string(discard.name) {
            return [try await discarded(key, isDryRun, resolution)]
        }
        let key = try call.params.string(key.name)
        do {
            let all = isDryRun ? try resolution.preview() : try await resolution.resolve()
            guard let key else { return all }
            let own = all.filter { $0.intent.key == key }
            return own.isEmpty ? [try resolution.known(key)].compactMap(\.self) : own
        } catch {
            throw ProgramError.journalUnavailable.error("\(error)")
        }
    }

    private static func discarded(
        _ key: String,
        _ isDryRun: Bool,
        _ resolution: ResolveBookings
    ) async throws -> ResolveBookings.Resolution {
        return isDryRun
            ? try resolution.previewDiscarding(key) : try await resolution.discard(key)
    }

    /// The resolutions with their salons, each of which is looked up once.
    private func reported(
        _ resolutions: [ResolveBookings.Resolution],
        _ present: [String: PresentState]
    ) async -> [ReportedResolution] {
        var salons: [SalonID: RequestedSalon] = [:]
        var reported: [ReportedResolution] = []
        for resolution in resolutions {
            let id = resolution.intent.action.salonID
            let salon: RequestedSalon
            if let known = salons[id] { salon = known } else { salon = await times.salon(id) }
            salons[id] = salon
            reported.append(
                ReportedResolution(
                    resolution: resolution,
                    present: present[resolution.intent.key],
                    salon: salon
                )
            )
        }
        return reported
    }
}

extension BookingAction.Name {
    fileprivate var noun: String {
        switch self {
        case .book: "booking"
        case .reschedule: "move"
        case .cancel: "cancellation"
        }
    }
}

extension ResolveBookings.Resolution {
    fileprivate var isDone: Bool {
        if case .done = outcome { true } else { false }
    }
}
