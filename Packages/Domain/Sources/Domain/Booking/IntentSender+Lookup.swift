extension IntentSender {
    /// Looks for the outcome of `intent`: its confirmation, or nil where it is to be sent again.
    func find(
        _ intent: BookingIntent,
        orElse fallback: AttemptSequence.Fallback
    ) async throws(BookingError) -> BookingConfirmation? {
        let (doubt, retryAfter) = fallback.doubt
        switch try await look(for: intent, because: doubt, retryAfter) {
        case .done(let appointment): return confirm(appointment, of: intent)
        case .superseded(let now): throw reject(intent, BookingError(supersededBy: now, intent))
        case .inconclusive(let why): throw .inDoubt(intent, "\(doubt); \(why)", retryAfter)
        case .absent(let shown):
            switch fallback {
            case .reject(.versionConflict(nil)):
                throw reject(intent, .versionConflict(current: shown))
            case .reject(let error): throw reject(intent, error)
            case .doubt(let reason, let retryAfter): throw .inDoubt(intent, reason, retryAfter)
            case .resend: return nil
            }
        }
    }

    /// What the server says about `intent`; in doubt where it cannot be asked.
    func look(
        for intent: BookingIntent,
        because reason: String,
        _ retryAfter: Int? = nil
    ) async throws(BookingError) -> Evidence {
        do throws(RemoteError) {
            let list = try await remote.lookUp()
            return Evidence(list, about: intent, others: others(than: intent))
        } catch {
            throw .inDoubt(intent, "\(reason); looking it up failed: \(error)", retryAfter)
        }
    }

    /// The other intents, whose appointments are no evidence of `intent`.
    private func others(than intent: BookingIntent) -> [BookingIntent] {
        ((try? journal.intents()) ?? []).filter { $0.key != intent.key }
    }
}

extension AttemptSequence.Fallback {
    /// What to report where the server cannot be asked.
    fileprivate var doubt: (reason: String, retryAfterSeconds: Int?) {
        switch self {
        case .reject: ("the server rejected it", nil)
        case .resend(_, let reason): (reason, nil)
        case .doubt(let reason, let seconds): (reason, seconds)
        }
    }
}
