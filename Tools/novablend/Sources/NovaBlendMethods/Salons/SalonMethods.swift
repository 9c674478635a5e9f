package import Contract
package import Domain
import JSON
package import JSONRPC
import NovaBlendAdapters

/// The methods about salons.
package struct SalonMethods {
    private let loader: ResourceLoader<EncodedList<SalonListCodec>>
    private let zones: any ZoneSource

    package init(
        _ loader: ResourceLoader<EncodedList<SalonListCodec>>,
        zones: any ZoneSource
    ) {
        self.loader = loader
        self.zones = zones
    }

    package var all: [Method] { [list, get] }

    private var list: Method {
        Method(
            "salons/list",
            "Lists salons: from the server, or from the cache without a connection.",
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
                    .init("salons", Schemas.array(of: Schemas.salon)),
                    .init("total", Schemas.integer, "how many there are on all pages"),
                    .init("nextCursor", Schemas.string, "of the next page", isRequired: false),
                    Schemas.provenance,
                ])
            )
        ) { [loader, zones] call throws(RPCError) in
            let filter = try SalonFilter(call, zones: zones)
            let fields = try FieldSelection(call, of: Schemas.salon)
            let loaded = try await LoadReply.load(loader, call)
            let count = loaded.value.count
            let isWhole = fields.isEverything && filter.isEverything(of: count)
            let page = isWhole ? nil : try filter.page(of: loaded.value)
            do throws(JSONError) {
                return try JSONFragment { writer throws(JSONError) in
                    try writer.object { writer throws(JSONError) in
                        writer.key("salons")
                        if let page {
                            try fields.write(page.elements, to: &writer)
                        } else {
                            // The bytes of the list are the bytes of the result.
                            writer.splice(loaded.value.array)
                        }
                        writer.member("total", page?.total ?? count)
                        writer.member("nextCursor", page?.nextCursor)
                        LoadReply.write(loaded.provenance, to: &writer)
                    }
                }
            } catch {
                throw RPCError(cached: error)
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
                    .init("salon", .object(Schemas.salon)), Schemas.provenance,
                ])
            )
        ) { [loader] call throws(RPCError) in
            let id = try call.params.read("id") { value throws(JSONError) in
                try SalonIDCodec.read(value)
            }
            let loaded = try await LoadReply.load(loader, call)
            guard let id, let salon = try? loaded.value.model(id) else {
                try LoadReply.requireCurrent(loaded.provenance)
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

extension FieldSelection {
    /// Writes the selected fields of `salons`.
    fileprivate func write(
        _ salons: ArraySlice<JSONValue>,
        to writer: inout JSONWriter
    ) throws(JSONError) {
        try writer.array { writer throws(JSONError) in
            for salon in salons {
                try write(to: &writer) { writer throws(JSONError) in
                    try SalonCodec.copy(salon, to: &writer)
                }
            }
        }
    }
}
