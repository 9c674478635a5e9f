import BookingStorage
import Domain

extension WriteTransaction {
    func customerData(of caller: String) throws -> CustomerData {
        let (_, rows, holds, requests, tokens) = try connection.run(
            begin,
            CustomerRows.appointments(of: caller),
            CustomerRows.holds(of: caller),
            CustomerRows.requests(of: caller),
            CustomerRows.tokens(of: caller)
        )
        return CustomerData(rows, holds, requests, tokens)
    }

    /// Deletes all data of a customer, and returns it.
    func eraseCustomer(_ caller: String, cancelsAppointments: Bool) throws -> CustomerData {
        let (_, _, now, rows, holds, requests, tokens) = try connection.run(
            begin,
            HoldRows.lock(caller: caller, now: clock),
            DatabaseClock.now(clock),
            CustomerRows.appointments(of: caller, isLocked: true),
            CustomerRows.holds(of: caller),
            CustomerRows.requests(of: caller),
            CustomerRows.tokens(of: caller)
        )
        let data = CustomerData(rows, holds, requests, tokens)
        if !cancelsAppointments { try data.checkErasable(at: now) }
        for stored in data.appointments { try delete(stored, isAnonymous: true, now) }
        for hold in holds { _ = try connection.run(OccupancyRows.release(hold)) }
        _ = try connection.run(
            Query<Int>(CustomerData.anonymizeDeletedAppointments, caller),
            CustomerRows.deleteHolds(of: caller),
            CustomerRows.delete(caller),
            Query<Int>(CustomerData.deleteKeys, Principal.identity(ofCustomer: caller)),
            CustomerRows.deleteVoidedKeys(of: caller),
            Query<Int>(CustomerData.revokeTokens, caller, now)
        )
        if !data.isEmpty { try recordCommand(AuditedChange(.erase, .customer), at: now) }
        hasChanges = true
        return data
    }
}
