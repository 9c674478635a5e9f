package import Contract
package import Domain

/// Finds salons in the cached list if it is fresh and contains them, otherwise in the server's list.
package struct LoadedSalons: SalonDirectory {
    private let loader: ResourceLoader<EncodedList<SalonListCodec>>

    package init(_ loader: ResourceLoader<EncodedList<SalonListCodec>>) {
        self.loader = loader
    }

    package func salon(_ id: SalonID) async -> SalonLookup {
        guard let first = try? await loader.load(.cacheFirst) else { return .unknown }
        let isCurrent = first.provenance.source.isCurrent
        if let salon = try? first.value.model(id) { return .known(salon, isCurrent: isCurrent) }
        if isCurrent { return .absent }
        // The salon may be newer than the cached list, so load the list from the server.
        return await reloadedSalon(id)
    }

    package func reloadedSalon(_ id: SalonID) async -> SalonLookup {
        let loaded = try? await loader.load(.serverFirst)
        guard let loaded, loaded.provenance.source.isCurrent else { return .unknown }
        return (try? loaded.value.model(id)).map { .known($0) } ?? .absent
    }

    /// Loads all salons.
    package func load(
        _ strategy: LoadStrategy
    ) async throws(Failure) -> Loaded<EncodedList<SalonListCodec>> {
        try await loader.load(strategy)
    }

    /// The salons with these ids, after at most one load; empty if the list cannot be loaded.
    package func known(_ ids: Set<SalonID>) async -> [SalonID: Salon] {
        if ids.isEmpty { return [:] }
        return Self.salons(ids, in: try? await loader.load(.cacheFirst).value)
    }

    /// The cached list, whatever its age. No request is sent.
    package func cached() -> EncodedList<SalonListCodec>? { loader.cachedValue() }

    /// The salons with these ids in the cached list, whatever its age. No request is sent.
    package func cached(_ ids: Set<SalonID>) -> [SalonID: Salon] {
        if ids.isEmpty { return [:] }
        return Self.salons(ids, in: loader.cachedValue())
    }

    /// The salons with these ids, for showing what was loaded with `provenance`: those in the cached
    /// list, whatever its age. If one is missing there and the server has just answered, the list is
    /// loaded unless it is fresh.
    package func shown(
        _ ids: Set<SalonID>,
        with provenance: Provenance
    ) async -> [SalonID: Salon] {
        let cached = cached(ids)
        return cached.count < ids.count && provenance.source.isCurrent ? await known(ids) : cached
    }

    private static func salons(
        _ ids: Set<SalonID>,
        in list: EncodedList<SalonListCodec>?
    ) -> [SalonID: Salon] {
        let known = ids.compactMap { id in (try? list?.model(id)) ?? nil }
        return Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
    }
}
