import Contract
import Domain
import JSON

extension BookingRecord {
    /// Reads a record; nil for a kind of record that this version does not know.
    init?(_ bytes: [UInt8]) {
        guard let record = try? Self.read(bytes) else { return nil }
        self = record
    }

    private static func read(_ bytes: [UInt8]) throws(JSONError) -> BookingRecord? {
        let object = try JSONDocument(parsing: bytes).root.object()
        let key = try object.required("key").string()
        if let action = try action(in: object) {
            return .begun(try intent(key, action, object))
        }
        return try event(in: object).map { .event($0, key: key) }
    }

    private static func intent(
        _ key: String,
        _ action: BookingAction,
        _ object: JSONObject
    ) throws(JSONError) -> BookingIntent {
        var ids: Set<String> = []
        for id in try object.required("knownIds").array() { ids.insert(try id.string()) }
        return BookingIntent(
            key: key,
            action: action,
            begunAt: try time(object.required("begunAt")),
            caller: Caller(
                subject: try object.optional("subject")?.string(),
                credential: try object.required("credential").string()
            ),
            knownBefore: .init(
                ids: ids,
                countWithoutID: try object.required("knownWithoutId").integer()
            )
        )
    }

    private static func time(_ value: JSONValue) throws(JSONError) -> Timestamp {
        Timestamp(secondsSince1970: Int64(try value.integer()))
    }

    private static func event(in object: JSONObject) throws(JSONError) -> IntentEvent? {
        if let attempt = object["attemptAt"] { return .attempt(at: try time(attempt)) }
        if object["accepted"] != nil {
            return .accepted(.init(id: try object.optional("id")?.string()))
        }
        if let done = object["done"] { return .outcome(.done(try AppointmentCodec.read(done))) }
        if object["notFound"] != nil { return .outcome(.notFound) }
        if object["dropped"] != nil { return .outcome(.dropped) }
        return object["pending"] == nil ? nil : .outcome(.pending)
    }

    private static func action(in object: JSONObject) throws(JSONError) -> BookingAction? {
        if let request = object["request"] { return .book(try BookingRequestCodec.read(request)) }
        guard let change = try object["change"]?.object() else { return nil }
        let kind: AppointmentChange.Kind
        switch BookingAction.Name(rawValue: try change.required("action").string()) {
        case .reschedule:
            let time = try AppointmentTimeCodec.read(change.required("appointmentTime"))
            kind = .reschedule(to: time)
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
