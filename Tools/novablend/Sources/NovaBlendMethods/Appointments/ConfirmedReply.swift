import Contract
import Domain
import JSON
import JSONRPC
import NovaBlendAdapters

/// The result of a booking or a change, or of its dry run.
enum ConfirmedReply {
    static let schema = ObjectSchema([
        .init("appointment", Schemas.appointment.fragment),
        .init("when", TimeView.schema.fragment, "when, on the salon's wall clock"),
        .init(
            "idempotencyKey",
            Schemas.string,
            "by which it is asked for again",
            isRequired: false
        ),
        .init("cacheError", Schemas.string, "why it was not kept", isRequired: false),
        DryRun.property,
    ])

    static let key = Method.Parameter(
        "idempotencyKey",
        "1 to 255 visible characters",
        schema: Schemas.string
    )

    static func reply(to booked: BookingConfirmation, on clock: SalonClock?) -> JSONFragment {
        JSONFragment { writer in
            writer.object { writer in
                write(booked.appointment, clock, to: &writer)
                writer.member("idempotencyKey", booked.key)
                writer.member("cacheError", booked.cacheError?.description)
            }
        }
    }

    /// The result of a dry run: the appointment as it would be.
    static func reply(previewing appointment: Appointment, on clock: SalonClock?) -> JSONFragment {
        JSONFragment { writer in
            writer.object { writer in
                writer.dryRun(true)
                write(appointment, clock, to: &writer)
            }
        }
    }

    private static func write(
        _ appointment: Appointment,
        _ clock: SalonClock?,
        to writer: inout JSONWriter
    ) {
        writer.key("appointment")
        AppointmentCodec.write(appointment, to: &writer)
        writer.member("when", TimeView(of: appointment, on: clock).fragment)
    }
}
