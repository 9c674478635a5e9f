import Contract
import Domain
import JSON

/// What the salon list says of a salon: the fresh cache is asked first, the remote when the salon
/// is not in it.
struct LoadedSalons: SalonDirectory {
    private let loader: ResourceLoader<EncodedList<SalonListCodec>>

    init(_ loader: ResourceLoader<EncodedList<SalonListCodec>>) {
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
        (try? await loader.load(.cacheFirst).value.models()) ?? []
    }

    private func find(_ id: SalonID, in loaded: Loaded<EncodedList<SalonListCodec>>) -> Salon? {
        (try? loaded.value.salon(id)).flatMap { $0 }
    }
}

extension EncodedList<SalonListCodec> {
    /// The salon of that id; the others are not read.
    func salon(_ id: SalonID) throws(JSONError) -> Salon? {
        try first { object throws(JSONError) in
            try SalonIDCodec.read(object.required("id")) == id
        }
    }
}
