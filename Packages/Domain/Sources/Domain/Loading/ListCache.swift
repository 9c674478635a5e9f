/// The port through which a confirmed change updates the cached list that shows it.
public protocol ListCache<Element>: Sendable {
    /// The type of the elements.
    associatedtype Element: Sendable
    /// Returns the cached list, expired or not; nil if nothing is cached or it cannot be read.
    func elements() -> [Element]?
    /// Replaces the cached list with one that depends on it. No other process can write in the
    /// meantime. The age of the list stays the same.
    ///
    /// `change` receives nil if nothing is cached. A list that it then returns is incomplete, because
    /// it is not known which other elements exist. If it returns nil, nothing is written.
    func update(_ change: ([Element]?) -> [Element]?) throws(CacheError)
}

extension ListCache<Appointment> {
    /// Adds `appointment`, or replaces its cached version unless that is newer.
    public func add(_ appointment: Appointment) throws(CacheError) {
        try update { cached in
            let list = cached ?? []
            let known = list.filter { $0.isSame(as: appointment) }.compactMap(\.version)
            // The confirmation may be late.
            if let version = appointment.version, known.contains(where: { $0 > version }) {
                return nil
            }
            return list.filter { !$0.isSame(as: appointment) } + [appointment]
        }
    }
}

extension ListCache<Salon> {
    /// Adds `salon` to the cached list, or replaces its cached version unless that is newer. Does
    /// nothing if no list is cached.
    public func add(_ salon: Salon) throws(CacheError) {
        try update { cached in
            guard var salons = cached else { return nil }
            guard let index = salons.firstIndex(where: { $0.id == salon.id }) else {
                return salons + [salon]
            }
            // The confirmation may be late.
            if let version = salon.version, let known = salons[index].version, known > version {
                return nil
            }
            salons[index] = salon
            return salons
        }
    }

    /// Removes the salon `id` from the cached list.
    public func remove(_ id: SalonID) throws(CacheError) {
        try update { cached in cached?.filter { $0.id != id } }
    }
}
