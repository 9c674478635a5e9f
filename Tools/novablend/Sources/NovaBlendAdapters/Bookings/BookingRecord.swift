import Contract
import Domain
import JSON
import Persistence

/// One record of the booking journal: a new intent, or an event of an intent.
enum BookingRecord {
    case begun(BookingIntent)
    case event(IntentEvent, key: String)

    /// The key of the intent.
    var key: String {
        switch self {
        case .begun(let intent): intent.key
        case .event(_, let key): key
        }
    }

    /// The record as it is written to the journal. Texts of a server that would make the record too
    /// large are left out: they are only for display, and the record must be written in any case.
    var encoded: [UInt8] {
        let record = complete
        return record.count <= FileJournal.maximumRecordSize ? record : shortened.complete
    }

    private var shortened: BookingRecord {
        switch self {
        case .begun(var intent):
            if case .change(var change) = intent.action {
                change.before = change.before.shortened
                intent.action = .change(change)
            }
            intent.knownBefore.ids = intent.knownBefore.ids.filter { $0.isShort }
            return .begun(intent)
        case .event(.accepted(let acceptance), let key):
            return .event(.accepted(.init(id: acceptance.id.flatMap(\.ifShort))), key: key)
        case .event(.outcome(.done(let appointment), let showsKey), let key):
            return .event(.outcome(.done(appointment.shortened), showsKey: showsKey), key: key)
        case .event: return self
        }
    }

    private var complete: [UInt8] {
        JSONFragment.object { writer in
            writer.member("key", key)
            switch self {
            case .begun(let intent): Self.write(intent, to: &writer)
            case .event(let event, _): Self.write(event, to: &writer)
            }
        }.bytes
    }

    private static func write(_ intent: BookingIntent, to writer: inout JSONWriter) {
        writer.member("begunAt", intent.createdAt.secondsSince1970)
        writer.member("subject", intent.caller.subject)
        writer.member("credential", intent.caller.credential)
        writer.member("knownIds", intent.knownBefore.ids.sorted())
        writer.member("knownWithoutId", intent.knownBefore.countWithoutID)
        switch intent.action {
        case .book(let request):
            writer.member("request", request, as: BookingRequestCodec.self)
            if let digest = request.digest {
                writer.key("digest")
                write(digest, to: &writer)
            }
        case .change(let change):
            writer.key("change")
            write(change, to: &writer)
        }
    }

    /// Writes the numbers of a digest in hexadecimal notation, because not every reader of JSON has
    /// integers of 64 bits.
    private static func write(_ digest: ContactDigest, to writer: inout JSONWriter) {
        func hexadecimal(_ number: UInt64) -> String { String(number, radix: 16) }
        writer.object { writer in
            writer.member("key", [digest.key.first, digest.key.second].map(hexadecimal))
            writer.member("phone", digest.phone.map { hexadecimal($0.value) })
            writer.member("digits", digest.phone?.count)
            writer.member("details", hexadecimal(digest.details))
        }
    }

    private static func write(_ change: AppointmentChange, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("action", BookingAction.change(change).name.rawValue)
            writer.member("id", change.id)
            writer.member("version", change.version)
            if case .reschedule(let time, let options) = change.kind {
                writer.member("appointmentTime", time, as: AppointmentTimeCodec.self)
                OptionsChangeCodec.writeMembers(of: options, to: &writer)
            }
            writer.member("before", change.before, as: AppointmentCodec.self)
        }
    }

    private static func write(_ event: IntentEvent, to writer: inout JSONWriter) {
        switch event {
        case .attempt(let time): writer.member("attemptAt", time.secondsSince1970)
        case .accepted(let acceptance):
            writer.member("accepted", true)
            writer.member("id", acceptance.id)
        case .rejected: writer.member("rejected", true)
        case .outcome(let state, let showsKey):
            switch state {
            case .done(let appointment):
                writer.member("done", appointment, as: AppointmentCodec.self)
            case .notFound: writer.member("notFound", true)
            case .dropped: writer.member("dropped", true)
            case .pending: writer.member("pending", true)
            }
            if showsKey { writer.member("showsKey", true) }
        }
    }
}

extension BookingRecord {
    /// Reads a record; nil if this version does not know its kind or cannot decode it.
    init?(_ bytes: [UInt8]) {
        guard let record = try? Self.read(bytes) else { return nil }
        self = record
    }

    private static func read(_ bytes: [UInt8]) throws(JSONError) -> BookingRecord? {
        let object = try JSONDocument(parsing: bytes).root.object()
        let key = try object.required("key").string()
        guard let action = try action(in: object) else {
            return try event(in: object).map { .event($0, key: key) }
        }
        let ids = try object.required("knownIds").array().map { id throws(JSONError) in
            try id.string()
        }
        let createdAt = Int64(try object.required("begunAt").integer())
        let intent = BookingIntent(
            key: key,
            action: action,
            createdAt: Timestamp(secondsSince1970: createdAt),
            caller: Caller(
                subject: try object.optional("subject")?.string(),
                credential: try object.required("credential").string()
            ),
            knownBefore: .init(
                ids: Set(ids),
                countWithoutID: try object.required("knownWithoutId").integer()
            )
        )
        return .begun(intent)
    }

    private static func event(in object: JSONObject) throws(JSONError) -> IntentEvent? {
        if let attempt = object["attemptAt"] {
            return .attempt(at: Timestamp(secondsSince1970: Int64(try attempt.integer())))
        }
        if object["accepted"] != nil {
            return .accepted(.init(id: try object.optional("id")?.string()))
        }
        if object["rejected"] != nil { return .rejected }
        let showsKey = object["showsKey"] != nil
        return try state(in: object).map { .outcome($0, showsKey: showsKey) }
    }

    private static func state(in object: JSONObject) throws(JSONError) -> BookingIntent.State? {
        if let done = object["done"] { return .done(try AppointmentCodec.read(done)) }
        if object["notFound"] != nil { return .notFound }
        if object["dropped"] != nil { return .dropped }
        return object["pending"] == nil ? nil : .pending
    }

    private static func action(in object: JSONObject) throws(JSONError) -> BookingAction? {
        if let request = object["request"] {
            var booking = try BookingRequestCodec.read(request)
            booking.digest = try object["digest"].map(digest)
            return .book(booking)
        }
        guard let change = try object["change"]?.object() else { return nil }
        let kind: AppointmentChange.Kind
        switch BookingAction.Name(rawValue: try change.required("action").string()) {
        case .reschedule:
            let time = try AppointmentTimeCodec.read(change.required("appointmentTime"))
            kind = .reschedule(to: time, changing: try OptionsChangeCodec.read(change))
        case .cancel: kind = .cancel
        case .book, nil: return nil
        }
        return .change(
            AppointmentChange(
                id: try change.required("id").string(),
                version: try change.required("version").integer(),
                kind: kind,
                before: try AppointmentCodec.read(change.required("before"))
            )
        )
    }
}

extension BookingRecord {
    private static func digest(_ value: JSONValue) throws(JSONError) -> ContactDigest {
        let object = try value.object()
        func number(_ value: JSONValue) throws(JSONError) -> UInt64 {
            guard let number = UInt64(try value.string(), radix: 16) else {
                throw value.mismatch(expected: "a hexadecimal number")
            }
            return number
        }
        let key = try object.required("key").array().map(number)
        guard key.count == 2 else {
            throw try object.required("key").mismatch(expected: "two numbers")
        }
        var digest = ContactDigest(
            key: .init(first: key[0], second: key[1]),
            details: try number(object.required("details"))
        )
        if let value = try object.optional("phone").map(number) {
            digest.phone = .init(value: value, count: try object.required("digits").integer())
        }
        return digest
    }
}

extension Appointment {
    /// The appointment without the texts of a server that are too long for the journal.
    fileprivate var shortened: Appointment {
        var short = self
        short.id = id.flatMap(\.ifShort)
        if case .other(let name) = status { short.status = .other(String(name.prefix(100))) }
        short.booking.phone = booking.phone.ifShort ?? ""
        short.booking.email = booking.email.flatMap(\.ifShort)
        short.booking.note = booking.note.flatMap(\.ifShort)
        if let name = bookedService?.name, !name.isShort { short.bookedService = nil }
        return short
    }
}

extension String {
    /// Whether a record of the journal can contain this text several times without becoming too
    /// large.
    fileprivate var isShort: Bool { utf8.count <= 10_000 }
    fileprivate var ifShort: String? { isShort ? self : nil }
}
