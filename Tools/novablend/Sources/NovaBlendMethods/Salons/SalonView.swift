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
        writer.object { writer in
            SalonCodec.writeMembers(of: salon, to: &writer)
            writer.member("hours", salon.hours.description)
        }
    }
}
