import Contract
import Domain
import JSON

/// One record of the journal of bookings, as JSON.
///
/// What is said of a change has members that no version had which knew bookings alone: that one
/// skips both its beginning and its end, and keeps both when it compacts.
enum BookingRecord {
    case begun(BookingIntent)
    case settled(key: String, state: BookingIntent.State, isChange: Bool)

    /// The key of the intent that it is about.
    var key: String {
        switch self {
        case .begun(let intent): intent.key
        case .settled(let key, _, _): key
        }
    }

    var encoded: [UInt8] {
        JSONFragment { writer in
            writer.object { writer in
                writer.member("key", key)
                switch self {
                case .begun(let intent):
                    writer.member("begunAt", intent.begunAt.secondsSince1970)
                    Self.write(intent.action, to: &writer)
                case .settled(_, .done(let appointment), let isChange):
                    writer.key(isChange ? "changed" : "booked")
                    AppointmentCodec.write(appointment, to: &writer)
                case .settled(_, .dropped, let isChange), .settled(_, .pending, let isChange):
                    writer.member(isChange ? "unchanged" : "dropped", true)
                }
            }
        }.bytes
    }

    private static func write(_ action: BookingAction, to writer: inout JSONWriter) {
        switch action {
        case .book(let request):
            writer.key("request")
            BookingRequestCodec.write(request, to: &writer)
        case .change(let change):
            writer.key("change")
            writer.object { writer in
                writer.member("action", action.name.rawValue)
                writer.member("id", change.id)
                writer.member("version", change.version)
                if case .reschedule(let time) = change.kind {
                    writer.key("appointmentTime")
                    AppointmentTimeCodec.write(time, to: &writer)
                }
                writer.key("before")
                AppointmentCodec.write(change.before, to: &writer)
            }
        }
    }
}
