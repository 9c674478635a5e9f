import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters

/// A salon in a result. Unlike the server's JSON, it has its opening hours and the prices of its services
/// also as text, because people and models misread numbers such as 9.3 and 4500.
enum SalonView {
    /// The largest number of salons that are listed with their hours as text. A longer list is
    /// copied from the cache without decoding each salon, so it has no such hours unless `fields`
    /// selects them.
    static let maximumCountWithHours = 100

    static func write(_ salon: Salon, to writer: inout JSONWriter) {
        writer.object { writer in
            var rest = salon
            rest.services = []
            SalonCodec.writeMembers(of: rest, to: &writer)
            if !salon.services.isEmpty {
                writer.member("services", salon.services.map(ServiceView.fragment))
            }
            writer.member("hours", salon.hoursText)
        }
    }
}

extension Salon {
    private static let noLimit = "no limit stated"

    /// How soon the salon can be booked, in words.
    package var earliestText: String {
        leadMinutes > 0 ? "\(leadMinutes.counting("minute")) from now" : Self.noLimit
    }

    /// How far ahead the salon can be booked, in words.
    package var latestText: String {
        furthestDays.map { "\($0.counting("day")) from now" } ?? Self.noLimit
    }
}

/// A service in a result. Unlike the server's JSON, it has its price also as text.
enum ServiceView {
    static func fragment(_ service: Service) -> JSONFragment {
        var rest = service
        rest.price = nil
        let plain = JSONFragment { ServiceCodec.write(rest, to: &$0) }
        guard let price = service.price else { return plain }
        let amount = JSONFragment { PriceCodec.write(price, to: &$0) }
        let text = JSONFragment { $0.string(price.description) }
        return plain.addingMember("price", amount.addingMember("text", text))
    }
}

/// The id and the name of a salon in a result about something else.
enum NamedSalon {
    static let schema = ObjectSchema([
        .init("id", .string), .init("name", .string),
    ]).named("NamedSalon")
}

extension Salon {
    /// The object that `NamedSalon.schema` describes.
    var named: ObjectFragment {
        ObjectFragment { writer in
            writer.member("id", id.description)
            writer.member("name", name)
        }
    }
}
