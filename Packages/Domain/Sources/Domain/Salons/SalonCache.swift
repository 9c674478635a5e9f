/// The port through which a change of a salon updates the cached list of salons.
public protocol SalonCache: Sendable {
    /// Replaces `salon` in the cached list, or adds it. Does nothing if no list is cached.
    func store(_ salon: Salon) throws(CacheError)
    /// Removes the salon `id` from the cached list. Does nothing if no list is cached.
    func remove(_ id: SalonID) throws(CacheError)
}
