import Contract
import Domain
import JSON
import JSONRPC

/// The methods about salons.
struct SalonMethods {
    private let loader: ResourceLoader<[Salon]>

    init(_ loader: ResourceLoader<[Salon]>) {
        self.loader = loader
    }

    var all: [Method] { [list, get] }

    private var list: Method {
        Method(
            "salons/list",
            "Lists salons: from the remote, or from the cache without a connection.",
            parameters: [
                .init("query", "text that name or location contain", schema: Schemas.string),
                .init("openAt", "a time at which the salon is open", schema: Schemas.time),
                .init("limit", "the most salons to list", schema: Schemas.integer),
                .init("cursor", "nextCursor of the page before", schema: Schemas.string),
                LoadReply.policy,
            ],
            result: .init("salons", "the salons and their provenance", schema: Schemas.object)
        ) { [loader] call throws(RPCError) in
            let filter = try SalonFilter(call)
            let loaded = try await LoadReply.load(loader, call)
            let page = try filter.page(of: loaded.value)
            return JSONFragment { writer in
                writer.object { writer in
                    writer.key("salons")
                    writer.array { writer in
                        for salon in page.salons { SalonCodec.write(salon, to: &writer) }
                    }
                    writer.member("total", page.total)
                    writer.member("nextCursor", page.nextCursor)
                    LoadReply.write(loaded.provenance, to: &writer)
                }
            }
        }
    }

    private var get: Method {
        Method(
            "salons/get",
            "Gives one salon.",
            parameters: [
                .init("id", "the salon's id, a UUID", isRequired: true, schema: Schemas.uuid),
                LoadReply.policy,
            ],
            result: .init("salon", "the salon and its provenance", schema: Schemas.object)
        ) { [loader] call throws(RPCError) in
            let id = try call.params.read("id") { value throws(JSONError) in
                try SalonIDCodec.read(value)
            }
            let loaded = try await LoadReply.load(loader, call)
            guard let id, let salon = loaded.value.first(where: { $0.id == id }) else {
                throw RPCError(BookingError.salonNotFound(id ?? SalonID(high: 0, low: 0)))
            }
            return JSONFragment { writer in
                writer.object { writer in
                    writer.key("salon")
                    SalonCodec.write(salon, to: &writer)
                    LoadReply.write(loaded.provenance, to: &writer)
                }
            }
        }
    }
}

/// What a caller wants to see of the salons.
private struct SalonFilter {
    private let query: String?
    private let openAt: AppointmentTime?
    private let limit: Int?
    private let offset: Int

    init(_ call: Call) throws(RPCError) {
        query = try call.params.string("query")?.lowercased()
        openAt = try call.params.read("openAt") { value throws(JSONError) in
            try AppointmentTimeCodec.read(value)
        }
        limit = try call.params.integer("limit")
        if let limit, limit < 1 {
            throw .invalidParams("\"limit\" must be at least 1", parameter: "limit")
        }
        let cursor = try call.params.string("cursor")
        guard let offset = cursor.map({ Int($0) }) ?? 0, offset >= 0 else {
            throw .invalidParams(
                "\"cursor\" must be the nextCursor of an earlier page",
                parameter: "cursor"
            )
        }
        self.offset = offset
    }

    func page(
        of salons: [Salon]
    ) throws(RPCError) -> (salons: ArraySlice<Salon>, total: Int, nextCursor: String?) {
        let matching = query == nil && openAt == nil ? salons : salons.filter(matches)
        guard offset <= matching.count else {
            throw .invalidParams("\"cursor\" lies past the end", parameter: "cursor")
        }
        let rest = matching[offset...]
        let page = rest.prefix(limit ?? rest.count)
        let next = page.endIndex < matching.count ? String(page.endIndex) : nil
        return (page, matching.count, next)
    }

    private func matches(_ salon: Salon) -> Bool {
        if let openAt, !salon.hours.contains(openAt.timeOfDay) { return false }
        guard let query else { return true }
        return salon.name.lowercased().contains(query)
            || salon.location.lowercased().contains(query)
    }
}
