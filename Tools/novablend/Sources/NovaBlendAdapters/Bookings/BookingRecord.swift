import Contract
import Domain
import JSON

/// One record of the booking journal: an intent that began, or something that happened to it.
enum BookingRecord {
    case begun(BookingIntent)
    case event(IntentEvent, key: String)

    /// The key of the intent that it is about.
    var key: String {
        switch self {
        case .begun(let intent): intent.key
        case .event(_, let key): key
        }
    }

    var encoded: [UInt8] {
        JSONFragment { writer in
            writer.object { writer in
                writer.member("key", key)
                switch self {
                case .begun(let intent): Self.write(intent, to: &writer)
                case .event(let event, _): Self.write(event, to: &writer)
                }
            }
        }.bytes
    }

    private static func write(_ intent: BookingIntent, to writer: inout JSONWriter) {
        writer.member("begunAt", intent.begunAt.secondsSince1970)
        writer.member("subject", intent.caller.subject)
        writer.member("credential", intent.caller.credential)
        writer.member("knownIds", intent.knownBefore.ids.sorted())
        writer.member("knownWithoutId", intent.knownBefore.countWithoutID)
        switch intent.action {
        case .book(let request):
            writer.key("request")
            BookingRequestCodec.write(request, to: &writer)
        case .change(let change):
            writer.key("change")
            write(change, to: &writer)
        }
    }

    private static func write(_ change: AppointmentChange, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("action", BookingAction.change(change).name.rawValue)
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

    private static func write(_ event: IntentEvent, to writer: inout JSONWriter) {
        switch event {
        case .attempt(let time): writer.member("attemptAt", time.secondsSince1970)
        case .accepted(let acceptance):
            writer.member("accepted", true)
            writer.member("id", acceptance.id)
        case .outcome(.done(let appointment)):
            writer.key("done")
            AppointmentCodec.write(appointment, to: &writer)
        case .outcome(.notFound): writer.member("notFound", true)
        case .outcome(.dropped): writer.member("dropped", true)
        case .outcome(.pending): writer.member("pending", true)
        }
    }
}
