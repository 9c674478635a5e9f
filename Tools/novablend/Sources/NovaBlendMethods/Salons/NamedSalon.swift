import Domain
import JSON
import JSONRPC

/// The id and the name of a salon in a result about something else.
struct NamedSalon {
    static let schema = ObjectSchema([
        .init("id", Schemas.string), .init("name", Schemas.string),
    ]).named("NamedSalon")

    let salon: Salon

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", salon.id.description)
            writer.member("name", salon.name)
        }
    }
}
