import BookingStorage
import Domain

extension WriteTransaction {
    /// Deletes all data of a customer, and returns it.
    func eraseCustomer(_ caller: String, cancelsAppointments: Bool) throws -> CustomerData {
        let data = try CustomerRows.data(of: caller, in: database)
        if !cancelsAppointments { try data.checkErasable(at: now) }
        for stored in data.appointments { try delete(stored, isAnonymous: true) }
        try database.run(CustomerData.anonymizeDeletedAppointments, caller)
        for hold in data.holds { try HoldRows.delete(hold, in: database) }
        try database.run(CustomerData.deleteKeys, Principal.identity(ofCustomer: caller))
        try database.run(CustomerData.revokeTokens, caller, now)
        if !data.isEmpty { try recordCommand(AuditedChange(.erase, .customer)) }
        return data
    }
}
