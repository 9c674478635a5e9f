import Contract
public import Domain

extension BookingStore {
    /// The salon with the id; nil if it does not exist.
    public func salon(_ id: SalonID) async throws(Problem) -> Salon? {
        let salons = database.access.salons
        return try await database.access.read { _ in
            SalonRow.read(id, cached: salons.latest(id), salons)
        }?.salon
    }

    /// The salon with the id, or an earlier version of it; nil if it does not exist. This usually reads
    /// nothing.
    public func recentSalon(_ id: SalonID) async throws(Problem) -> Salon? {
        if let recent = database.access.salons.latest(id) { return recent }
        return try await salon(id)
    }

    /// The first `limit` salons whose id is greater than `id`, in the order of their ids.
    public func salons(after id: SalonID?, limit: Int) async throws(Problem) -> [Salon] {
        let salons = database.access.salons
        return try await database.access.read { _ in SalonRow.page(after: id, limit: limit, salons)
        }
    }

    /// The first `limit` salons whose id is greater than `id`, in the order of their ids, without decoding
    /// them. They end after about `maximumBytes`, but there is at least one if there are any.
    public func encodedSalons(
        after id: SalonID?,
        limit: Int,
        maximumBytes: Int
    ) async throws(Problem) -> EncodedSalons {
        try await database.access.read { _ in
            SalonRow.encodedPage(after: id, limit: limit, maximumBytes: maximumBytes)
        }
    }

    /// Creates or replaces a salon if `condition` is met. The store assigns the version.
    ///
    /// - Parameter schedule: The rules of the salon that is put. If they are not nil, its active
    ///   future appointments move to the instants at which the clock of the schedule shows the local
    ///   times for which they were booked. They keep their lengths and staff members. Holds do not
    ///   move.
    /// - Throws: `versionConflict`, `wallClockNotKept` if one of the appointments cannot move,
    ///   or `unavailable`.
    public func put(
        _ salon: Salon,
        if condition: SalonCondition,
        keepingWallClockBy schedule: Schedule?,
        by principal: Principal
    ) async throws(Problem) -> SalonUpdate {
        try await database.access.write(isRepeatable: false) {
            try $0.put(salon, if: condition, keepingWallClockBy: schedule, by: principal)
        }
    }

    /// Deletes a salon if `condition` is met. Its appointments remain.
    ///
    /// - Throws: `salonNotFound`, `versionConflict`, `salonHasBookings` if an active
    ///   appointment starts in the future, or `unavailable`.
    public func deleteSalon(
        _ id: SalonID,
        if condition: SalonCondition,
        by principal: Principal
    ) async throws(Problem) {
        try await database.access.write(isRepeatable: false) {
            try $0.deleteSalon(id, if: condition, by: principal)
        }
    }

    /// Creates or replaces all `salons` in one transaction. Other salons remain. If several have
    /// the same id, the last one counts. A salon that is already stored in this form keeps its
    /// version.
    ///
    /// If other salons are to be deleted, and at least one of them cannot be, nothing changes: see
    /// ``SalonImport/undeletable``. Appointments remain. The audit log records the changes as made by a
    /// command.
    public func importSalons(
        _ salons: [Salon],
        _ options: SalonImport.Options = SalonImport.Options()
    ) async throws(Problem) -> SalonImport {
        try await database.access.write(isRepeatable: false) {
            try $0.importSalons(salons, options)
        }
    }
}

/// Some salons as JSON.
public struct EncodedSalons: Sendable, Hashable {
    /// The JSON of the salons, as ``SalonCodec`` writes it, with commas between them.
    public private(set) var json: [UInt8] = []
    /// The number of salons.
    public private(set) var count = 0
    /// The id of the last salon; nil if there are none.
    public private(set) var last: SalonID?
    /// Whether there are more salons after the last one.
    public internal(set) var hasMore = false
    /// The names of the time zones of the salons.
    public private(set) var timeZones: Set<String> = []
    /// The bytes of the last name, which is usually that of the next salon, too.
    private var lastZone: [UInt8] = []

    mutating func append(_ salon: UnsafeBufferPointer<UInt8>, _ id: SalonID) {
        if count > 0 { json.append(UInt8(ascii: ",")) }
        json.append(contentsOf: salon)
        count += 1
        last = id
        guard let zone = SalonCodec.encodedTimeZone(in: salon), !zone.elementsEqual(lastZone)
        else { return }
        lastZone = Array(zone)
        timeZones.insert(String(decoding: lastZone, as: UTF8.self))
    }
}
