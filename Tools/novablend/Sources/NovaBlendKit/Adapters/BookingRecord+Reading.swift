import Contract
import Domain
import JSON

extension BookingRecord {
    /// Reads a record; nil for one of a kind that this version does not know.
    init?(_ bytes: [UInt8]) {
        guard let record = try? Self.read(bytes) else { return nil }
        self = record
    }

    private static func read(_ bytes: [UInt8]) throws(JSONError) -> BookingRecord? {
        let object = try JSONDocument(parsing: bytes).root.object()
        let key = try object.required("key").string()
        if let action = try action(in: object) {
            let begunAt = Int64(try object.required("begunAt").integer())
            return .begun(
                BookingIntent(
                    key: key,
                    action: action,
                    state: .pending,
                    begunAt: Timestamp(secondsSince1970: begunAt)
                )
            )
        }
        if let (state, isChange) = try end(in: object) {
            return .settled(key: key, state: state, isChange: isChange)
        }
        return nil
    }

    private static func end(
        in object: JSONObject
    ) throws(JSONError) -> (state: BookingIntent.State, isChange: Bool)? {
        if let booked = object["booked"] {
            return (.done(try AppointmentCodec.read(booked)), false)
        }
        if let changed = object["changed"] {
            return (.done(try AppointmentCodec.read(changed)), true)
        }
        if object["dropped"] != nil { return (.dropped, false) }
        return object["unchanged"] == nil ? nil : (.dropped, true)
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
