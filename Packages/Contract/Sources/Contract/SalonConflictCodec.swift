public import Domain
public import JSON

/// The JSON of a conflict: the members of the appointment, `reasons`, and `newLocalTime` if the
/// salon's clock shows a different local time than when it was booked.
public enum SalonConflictCodec {
    /// The members that a conflict has in addition to those of the appointment.
    public static let properties: [ObjectSchema.Property] = [
        .init(
            "reasons",
            .array(of: .string(in: SalonConflict.Reason.allCases.map(\.rawValue))),
            "what no longer fits"
        ),
        .optional(
            "newLocalTime",
            AppointmentTimeCodec.schema,
            "appointmentTime on the salon's clock now, in RFC 3339, if the local time differs"
        ),
    ]

    /// Writes the members that a conflict has in addition to those of the appointment into the
    /// current object.
    public static func writeMembers(of conflict: SalonConflict, to writer: inout JSONWriter) {
        writer.member("reasons", conflict.reasons.map(\.rawValue))
        writer.member("newLocalTime", conflict.newLocalTime.map(ISO8601.formatRFC3339))
    }
}
