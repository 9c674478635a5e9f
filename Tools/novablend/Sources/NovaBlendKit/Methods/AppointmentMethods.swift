import Contract
import Domain
import JSON
import JSONRPC

/// The methods about appointments.
struct AppointmentMethods {
    let loader: ResourceLoader<[Appointment]>
    let booking: BookAppointment
    let resolution: ResolveBookings
    let salons: LoadedSalons
    let times: ReadSalonTime
    let changes: ChangeFeed

    init(
        loader: ResourceLoader<[Appointment]>,
        booking: BookAppointment,
        resolution: ResolveBookings,
        salons: LoadedSalons,
        times: ReadSalonTime,
        changes: ChangeFeed
    ) {
        self.loader = loader
        self.booking = booking
        self.resolution = resolution
        self.salons = salons
        self.times = times
        self.changes = changes
    }

    var all: [Method] { [list, book, resolve, export] }

    private var book: Method {
        var method = Method(
            "appointments/book",
            "Books an appointment, once: repeat with the same idempotencyKey to be sure.",
            title: "Book an appointment",
            parameters: [
                .init("salonId", "the salon, a UUID", isRequired: true, schema: Schemas.uuid),
                .init(
                    "appointmentTime",
                    "when: a slot's localStart, or ISO 8601 with the offset of the salon's wall "
                        + "clock; without offset where the salon has a time_zone",
                    isRequired: true,
                    schema: Schemas.string
                ),
                .init("phone", "the customer's phone", isRequired: true, schema: Schemas.string),
                .init("email", "the customer's email", schema: Schemas.string),
                .init("notes", "anything the salon should know", schema: Schemas.string),
                .init("idempotencyKey", "1 to 255 visible characters", schema: Schemas.string),
            ],
            result: .init(
                "appointment",
                "what was booked, and its key",
                schema: ObjectSchema([
                    .init("appointment", Schemas.appointment.fragment),
                    .init("when", TimeView.schema.fragment, "when, on the salon's wall clock"),
                    .init("idempotencyKey", Schemas.string),
                    .init("cacheError", Schemas.string, "why it was not kept", isRequired: false),
                ])
            ),
            effect: .changes(isIdempotent: true)
        ) { [booking, times, changes] call throws(RPCError) in
            let wanted = try await BookingCall(call.params, times)
            let key = try call.params.string("idempotencyKey")
            call.report("booking")
            do throws(BookingError) {
                let booked = try await booking.book(wanted.request, key: key)
                changes.announce("appointments")
                return Self.reply(to: booked, on: wanted.clock)
            } catch {
                throw RPCError(wanted.clock.map { error.offering(on: $0) } ?? error)
            }
        }
        method.idempotencyParameter = "idempotencyKey"
        method.confirmation = { [salons, times] params throws(RPCError) in
            try await BookingCall(params, times).question(salons)
        }
        return method
    }

    private static func reply(to booked: Booked, on clock: SalonClock?) -> JSONFragment {
        JSONFragment { writer in
            writer.object { writer in
                writer.key("appointment")
                AppointmentCodec.write(booked.appointment, to: &writer)
                writer.member("when", TimeView(of: booked.appointment, on: clock).fragment)
                writer.member("idempotencyKey", booked.key)
                writer.member("cacheError", booked.cacheError?.description)
            }
        }
    }
}
