extension ListSlots {
    /// What the server answered to a request for slots.
    enum Offer {
        case slots(SlotList)
        /// The server does not list slots.
        case unsupported
        /// The server is reached but fails, or is too slow.
        case unavailable
        case unreachable

        /// Whether a cached salon can be used without asking for it: the server states its version,
        /// or cannot be asked.
        func confirms(_ salon: Salon) -> Bool {
            switch self {
            case .slots(let list): list.salonVersion != nil && list.salonVersion == salon.version
            case .unsupported, .unavailable: false
            case .unreachable: true
            }
        }
    }

    /// Requests the slots in the range of `search`.
    func offer(for search: Search) async throws(Failure) -> Offer {
        try await offer(
            in: search.range,
            on: search.schedule.clock,
            search,
            isExplained: search.request.isExplained
        )
    }

    /// Requests the slots in a range. If the salon has no time zone and the UTC offset of `clock`
    /// changes within the range, sends one request for each part with a constant offset.
    func offer(
        in range: TimeRange,
        on clock: SalonClock,
        _ search: Search,
        isExplained: Bool,
        enough: Int? = nil
    ) async throws(Failure) -> Offer {
        var list = SlotList([])
        for part in clock.parts(from: range.start.instant, to: range.end.instant) {
            let available = list.slots.count(where: \.isAvailable)
            if let enough, available >= enough { break }
            let offered: OfferedSlots
            do {
                offered = try await server.slots(
                    SlotRequest(
                        salonID: search.schedule.salon.id,
                        start: clock.time(at: part.lowerBound),
                        end: clock.time(at: part.upperBound),
                        options: search.request.options,
                        movedID: search.request.movedID,
                        isExplained: isExplained,
                        enough: enough.map { $0 - available }
                    )
                )
            } catch {
                switch error {
                case .connectivity: return .unreachable
                case .unavailable: return .unavailable
                default: throw error
                }
            }
            switch offered {
            case .unsupported: return .unsupported
            case .salonNotFound: throw .salonNotFound(search.schedule.salon.id)
            case .slots(let part):
                list.slots += part.slots.map { $0.shown(on: clock) }
                list.salonVersion = part.salonVersion
            }
        }
        return .slots(list)
    }
}
