import Contract
import Domain
import JSON

/// A salon in a result. Unlike the server's JSON, it has its opening hours and the prices of its services
/// also as text, because people and models misread numbers such as 9.3 and 4500.
enum SalonView {
    /// Longer lists have no hours as text, unless `fields` selects them: they are copied from the cache
    /// without decoding each salon.
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
