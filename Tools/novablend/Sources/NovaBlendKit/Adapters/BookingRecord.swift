import Contract
import Domain
import JSON

/// One record of the journal of bookings, as JSON.
enum BookingRecord {
    case begun(BookingIntent)
    case settled(key: String, state: BookingIntent.State)

    /// The key of the intent that it is about.
    var key: String {
        switch self {
        case .begun(let intent): intent.key
        case .settled(let key, _): key
        }
    }

    /// Reads a record; nil for one of a kind that this version does not know.
    init?(_ bytes: [UInt8]) {
        guard let record = try? Self.read(bytes) else { return nil }
        self = record
    }

    private static func read(_ bytes: [UInt8]) throws(JSONError) -> BookingRecord? {
        let object = try JSONDocument(parsing: bytes).root.object()
        let key = try object.required("key").string()
        if let request = object["request"] {
            let begunAt = Int64(try object.required("begunAt").integer())
            return .begun(
                BookingIntent(
                    key: key,
                    request: try BookingRequestCodec.read(request),
                    state: .pending,
                    begunAt: Timestamp(secondsSince1970: begunAt)
                )
            )
        }
        if let appointment = object["booked"] {
            return .settled(key: key, state: .booked(try AppointmentCodec.read(appointment)))
        }
        return object["dropped"] == nil ? nil : .settled(key: key, state: .dropped)
    }

    var encoded: [UInt8] {
        JSONFragment { writer in
            writer.object { writer in
                switch self {
                case .begun(let intent):
                    writer.member("key", intent.key)
                    writer.member("begunAt", intent.begunAt.secondsSince1970)
                    writer.key("request")
                    BookingRequestCodec.write(intent.request, to: &writer)
                case .settled(let key, .booked(let appointment)):
                    writer.member("key", key)
                    writer.key("booked")
                    AppointmentCodec.write(appointment, to: &writer)
                case .settled(let key, .dropped), .settled(let key, .pending):
                    writer.member("key", key)
                    writer.member("dropped", true)
                }
            }
        }.bytes
    }
}
