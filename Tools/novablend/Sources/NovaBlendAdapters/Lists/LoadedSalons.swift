package import Contract
package import Domain
package import JSON

/// What the salon list says of a salon: the fresh cache is asked first, the remote when the salon
/// is not in it.
package struct LoadedSalons: SalonDirectory {
    private let loader: ResourceLoader<EncodedList<SalonListCodec>>

    package init(_ loader: ResourceLoader<EncodedList<SalonListCodec>>) {
        self.loader = loader
    }

    package func salon(_ id: SalonID) async -> SalonLookup {
        guard let first = try? await loader.load(.cacheFirst) else { return .unknown }
        if let salon = find(id, in: first) { return .known(salon, isCurrent: isAnswer(first)) }
        if isAnswer(first) { return .absent }
        // It may be newer than the cached list.
        return await reloadedSalon(id)
    }

    package func reloadedSalon(_ id: SalonID) async -> SalonLookup {
        guard let loaded = try? await loader.load(.remoteFirst), isAnswer(loaded) else {
            return .unknown
        }
        return find(id, in: loaded).map { .known($0) } ?? .absent
    }

    /// Whether it is what the remote lists now: it may also say that nothing has changed.
    private func isAnswer(_ loaded: Loaded<EncodedList<SalonListCodec>>) -> Bool {
        [.remote, .revalidated].contains(loaded.provenance.source)
    }

    /// All that are known without waiting for more than one load; none when nothing is known.
    package func all() async -> [Salon] {
        (try? await loader.load(.cacheFirst).value.models()) ?? []
    }

    /// Those of `ids` that are kept, however old what is kept is; nobody is asked.
    package func kept(_ ids: Set<SalonID>) -> [SalonID: Salon] {
        if ids.isEmpty { return [:] }
        let known = try? loader.cachedValue()?.models { ids.contains($0) }
        return Dictionary((known ?? []).map { ($0.id, $0) }) { first, _ in first }
    }

    private func find(_ id: SalonID, in loaded: Loaded<EncodedList<SalonListCodec>>) -> Salon? {
        try? loaded.value.model(id)
    }
}

extension EncodedList<SalonListCodec> {
    /// The first salon of that id, and no look at what follows it; nil when there is none.
    package func model(_ id: SalonID) throws(JSONError) -> Salon? {
        for element in try elements() where try Self.id(of: element) == id {
            return try SalonCodec.read(element)
        }
        return nil
    }

    /// The salons whose ids are `wanted`; the others are not read.
    func models(_ wanted: (SalonID) -> Bool) throws(JSONError) -> [Salon] {
        var models: [Salon] = []
        for element in try elements() where wanted(try Self.id(of: element)) {
            models.append(try SalonCodec.read(element))
        }
        return models
    }

    package static func id(of salon: JSONValue) throws(JSONError) -> SalonID {
        try SalonIDCodec.read(salon.object().required("id"))
    }
}
