extension ResolveBookings {
    /// Closes an intent whose outcome is in doubt, because a person asked for it.
    ///
    /// First asks the server to void the key. If the server voids it, the intent is certainly not
    /// done. If the key was used, the intent is done. If the server cannot void keys, the intent is
    /// closed with an unknown outcome. The intent stays in doubt if the server fails or reports a
    /// different appointment under the key, or if a different caller sent the intent. Throws
    /// `invalidRequest` if no open intent has the key.
    public func discard(_ key: String) async throws(Failure) -> Resolution {
        let (intent, claim) = try await claimedIntent(key)
        defer { withExtendedLifetime(claim) {} }
        guard sender.server.caller.isSame(as: intent.caller) else {
            let reason = "it was sent with different credentials; use them to discard it"
            return Resolution(intent: intent, outcome: .inDoubt(reason: reason))
        }
        let voiding: KeyVoidResult
        do {
            voiding = try await sender.server.void(key)
        } catch {
            return Resolution(intent: intent, outcome: .inDoubt(reason: error.description))
        }
        let outcome: Resolution.Outcome =
            switch voiding {
            case .voided: record(.dropped, of: intent, as: .notDone)
            case .unsupported: record(.dropped, of: intent, as: .discarded)
            case .used(let report): self.outcome(ofUsed: intent, report)
            }
        return Resolution(intent: intent, outcome: outcome)
    }

    private func outcome(
        ofUsed intent: BookingIntent,
        _ report: ReportedAppointment?
    ) -> Resolution.Outcome {
        let confirmed =
            report.map { intent.confirmation(by: $0, claimed: []) } ?? intent.action.outcome
        guard let confirmed else {
            return .inDoubt(reason: "the key was used, but not for what was requested")
        }
        let showsKey = report?.idempotencyKey == intent.key
        return .done(sender.confirm(confirmed, of: intent, showsKey: showsKey).appointment)
    }

    /// The intent that ``discard(_:)`` would close. Sends and changes nothing. Throws
    /// `invalidRequest` if no open intent has the key.
    public func previewDiscarding(_ key: String) throws(Failure) -> Resolution {
        let found: BookingIntent?
        do { found = try sender.journal.intent(of: key) } catch {
            throw .journal(reason: "\(error)")
        }
        return Self.preview(of: try open(found))
    }

    private func claimedIntent(
        _ key: String
    ) async throws(Failure) -> (BookingIntent, any IntentClaim) {
        let found: (intent: BookingIntent?, claim: (any IntentClaim)?)
        do {
            let claim = try await sender.claims(of: [key])[key]
            found = (try sender.journal.intent(of: key), claim)
        } catch {
            throw .journal(reason: "\(error)")
        }
        let intent = try open(found.intent)
        guard let claim = found.claim else {
            throw .inDoubt(intent, IntentSender.busy)
        }
        return (intent, claim)
    }

    private func open(_ intent: BookingIntent?) throws(Failure) -> BookingIntent {
        if let intent, intent.isOpen { return intent }
        let known = (try? sender.journal.intents()) ?? []
        let keys = known.filter(\.isOpen).prefix(10).map(\.key)
        throw .invalidRequest(
            field: "discard",
            reason: "must be the key of a booking or change in doubt; "
                + (keys.isEmpty
                    ? "nothing is in doubt" : "in doubt: \(keys.joined(separator: ", "))")
        )
    }
}
