import Contract
import Domain
import JSON

/// A salon in a result. Unlike the server's JSON, it has its opening hours also as text, because people
/// and models misread a number such as 9.3.
enum SalonView {
    /// Longer lists have no hours as text, unless `fields` selects them: they are copied from the cache
    /// without decoding each salon.
    static let maximumCountWithHours = 100

    static func write(_ salon: Salon, to writer: inout JSONWriter) {
        let encoded = JSONFragment { SalonCodec.write(salon, to: &$0) }
        let hours = JSONFragment { $0.string(salon.hours.description) }
        writer.splice(encoded.addingMember("hours", hours).bytes[...])
    }
}
