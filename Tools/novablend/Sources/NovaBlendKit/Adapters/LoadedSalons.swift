import Domain

/// What the salon list says of a salon: the fresh cache is asked first, the remote when the salon
/// is not in it.
struct LoadedSalons: SalonDirectory {
    private let loader: ResourceLoader<[Salon]>

    init(_ loader: ResourceLoader<[Salon]>) {
        self.loader = loader
    }

    func salon(_ id: SalonID) async -> SalonLookup {
        guard let first = try? await loader.load(.cacheFirst) else { return .unknown }
        if let salon = find(id, in: first) { return .known(salon) }
        if first.provenance.source == .remote { return .absent }
        // It may be new since the list was kept.
        guard let second = try? await loader.load(.remoteFirst) else { return .unknown }
        if let salon = find(id, in: second) { return .known(salon) }
        return second.provenance.source == .remote ? .absent : .unknown
    }

    /// All that are known without waiting for more than one load; none when nothing is known.
    func all() async -> [Salon] {
        (try? await loader.load(.cacheFirst))?.value ?? []
    }

    /// Those of `ids` that are kept, however old what is kept is; nobody is asked.
    func kept(_ ids: Set<SalonID>) -> [SalonID: Salon] {
        if ids.isEmpty { return [:] }
        let known = (loader.kept() ?? []).lazy.filter { ids.contains($0.id) }
        return Dictionary(known.map { ($0.id, $0) }) { first, _ in first }
    }

    private func find(_ id: SalonID, in loaded: Loaded<[Salon]>) -> Salon? {
        loaded.value.first { $0.id == id }
    }
}
