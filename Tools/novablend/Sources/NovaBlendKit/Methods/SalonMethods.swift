import Contract
import Domain
import JSON
import JSONRPC

/// The methods about salons.
struct SalonMethods {
    private let loader: ResourceLoader<[Salon]>
    private let news: News

    private let zones: any ZoneSource

    init(_ loader: ResourceLoader<[Salon]>, zones: any ZoneSource, changes: ChangeFeed) {
        self.loader = loader
        self.zones = zones
        news = News(resource: "salons", feed: changes)
    }

    var all: [Method] { [list, get] }

    private var list: Method {
        Method(
            "salons/list",
            "Lists salons: from the remote, or from the cache without a connection.",
            title: "List salons",
            parameters: [
                .init(
                    "query",
                    "text that name or location contain, whatever its case and accents",
                    schema: Schemas.string
                ),
                .init("openAt", "a time at which the salon is open", schema: Schemas.time),
                CursorPage.limit,
                Cursor.parameter,
                FieldSelection.parameter(of: Schemas.salon),
                LoadReply.policy,
            ],
            result: .init(
                "salons",
                "the salons and their provenance",
                schema: ObjectSchema([
                    .init("salons", Schemas.array(of: Schemas.salon.fragment)),
                    .init("total", Schemas.integer, "how many there are on all pages"),
                    .init("nextCursor", Schemas.string, "of the next page", isRequired: false),
                    Schemas.provenance,
                ])
            )
        ) { [loader, zones, news] call throws(RPCError) in
            let filter = try SalonFilter(call, zones: zones)
            let fields = try FieldSelection(call, of: Schemas.salon)
            let loaded = try await LoadReply.load(loader, call, news)
            let page = try filter.page(of: loaded.value)
            return JSONFragment { writer in
                writer.object { writer in
                    writer.key("salons")
                    writer.array { writer in
                        for salon in page.elements {
                            fields.write(to: &writer) { SalonCodec.write(salon, to: &$0) }
                        }
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
            title: "Show a salon",
            parameters: [
                .init("id", "the salon's id, a UUID", isRequired: true, schema: Schemas.uuid),
                LoadReply.policy,
            ],
            result: .init(
                "salon",
                "the salon and its provenance",
                schema: ObjectSchema([
                    .init("salon", Schemas.salon.fragment), Schemas.provenance,
                ])
            )
        ) { [loader, news] call throws(RPCError) in
            let id = try call.params.read("id") { value throws(JSONError) in
                try SalonIDCodec.read(value)
            }
            let loaded = try await LoadReply.load(loader, call, news)
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
