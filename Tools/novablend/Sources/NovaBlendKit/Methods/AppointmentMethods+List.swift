import Contract
import Domain
import JSON
import JSONRPC

extension AppointmentMethods {
    var list: Method {
        Method(
            "appointments/list",
            "Lists what was booked: from the remote, or from the cache without a connection.",
            title: "List appointments",
            parameters: [LoadReply.policy],
            result: .init(
                "appointments",
                "them and their provenance",
                schema: ObjectSchema([
                    .init("appointments", Schemas.array(of: Schemas.appointment.fragment)),
                    Schemas.provenance,
                ])
            )
        ) { [loader, changes] call throws(RPCError) in
            let news = News(resource: "appointments", feed: changes)
            let loaded = try await LoadReply.load(loader, call, news)
            return JSONFragment { writer in
                writer.object { writer in
                    writer.key("appointments")
                    writer.array { writer in
                        for value in loaded.value { AppointmentCodec.write(value, to: &writer) }
                    }
                    LoadReply.write(loaded.provenance, to: &writer)
                }
            }
        }
    }
}
