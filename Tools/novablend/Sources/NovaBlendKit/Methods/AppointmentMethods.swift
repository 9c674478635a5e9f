import Contract
import Domain
import JSON
import JSONRPC

/// The methods about appointments.
struct AppointmentMethods {
    private let loader: ResourceLoader<[Appointment]>
    private let booking: BookAppointment
    private let resolution: ResolveBookings

    init(
        loader: ResourceLoader<[Appointment]>,
        booking: BookAppointment,
        resolution: ResolveBookings
    ) {
        self.loader = loader
        self.booking = booking
        self.resolution = resolution
    }

    var all: [Method] { [list, book, resolve] }

    private var list: Method {
        Method(
            "appointments/list",
            "Lists what was booked: from the remote, or from the cache without a connection.",
            parameters: [LoadReply.policy],
            result: .init("appointments", "them and their provenance", schema: Schemas.object)
        ) { [loader] call throws(RPCError) in
            let loaded = try await LoadReply.load(loader, call)
            return JSONFragment { writer in
                writer.object { writer in
                    writer.key("appointments")
                    writer.array { writer in
                        for value in loaded.value { AppointmentCodec.write(value, to: &writer) }
                    }
                    LoadReply.write(loaded.provenance, to: &writer)
                }
            }
        }
    }

    private var book: Method {
        Method(
            "appointments/book",
            "Books an appointment, once: repeat with the same idempotencyKey to be sure.",
            parameters: [
                .init("salonId", "the salon, a UUID", isRequired: true, schema: Schemas.uuid),
                .init(
                    "appointmentTime",
                    "when, ISO 8601 with the offset of the salon's wall clock",
                    isRequired: true,
                    schema: Schemas.time
                ),
                .init("phone", "the customer's phone", isRequired: true, schema: Schemas.string),
                .init("email", "the customer's email", schema: Schemas.string),
                .init("notes", "anything the salon should know", schema: Schemas.string),
                .init("idempotencyKey", "1 to 255 visible characters", schema: Schemas.string),
            ],
            result: .init("appointment", "what was booked, and its key", schema: Schemas.object),
            effect: .changes
        ) { [booking] call throws(RPCError) in
            let request = try Self.request(of: call)
            let key = try call.params.string("idempotencyKey")
            do throws(BookingError) {
                return Self.reply(to: try await booking.book(request, key: key))
            } catch {
                throw RPCError(error)
            }
        }
    }

    private var resolve: Method {
        Method(
            "appointments/resolve",
            "Finds out what became of bookings whose answer never came; sends nothing again.",
            result: .init("resolutions", "one for each that was open", schema: Schemas.object),
            effect: .changes
        ) { [resolution] _ throws(RPCError) in
            do throws(JournalError) {
                let resolutions = try await resolution.resolve()
                return JSONFragment { writer in
                    writer.object { writer in
                        writer.key("resolutions")
                        writer.array { writer in
                            for resolution in resolutions { Self.write(resolution, to: &writer) }
                        }
                    }
                }
            } catch {
                throw ProgramError.cacheRetrieval.error(error.reason)
            }
        }
    }

    private static func request(of call: Call) throws(RPCError) -> BookingRequest {
        let params = call.params
        let salonID = try params.read("salonId") { value throws(JSONError) in
            try SalonIDCodec.read(value)
        }
        let time = try params.read("appointmentTime") { value throws(JSONError) in
            try AppointmentTimeCodec.read(value)
        }
        guard let salonID, let time, let phone = try params.string("phone") else {
            throw .invalidParams("\"salonId\", \"appointmentTime\" and \"phone\" are needed")
        }
        return BookingRequest(
            salonID: salonID,
            time: time,
            phone: phone,
            email: try params.string("email"),
            note: try params.string("notes")
        )
    }

    private static func reply(to booked: Booked) -> JSONFragment {
        JSONFragment { writer in
            writer.object { writer in
                writer.key("appointment")
                AppointmentCodec.write(booked.appointment, to: &writer)
                writer.member("idempotencyKey", booked.key)
                writer.member("cacheError", booked.cacheError?.description)
            }
        }
    }

    private static func write(
        _ resolution: ResolveBookings.Resolution,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            writer.member("idempotencyKey", resolution.intent.key)
            switch resolution.outcome {
            case .booked(let appointment):
                writer.member("outcome", "booked")
                writer.key("appointment")
                AppointmentCodec.write(appointment, to: &writer)
            case .notBooked: writer.member("outcome", "notBooked")
            case .inDoubt(let reason):
                writer.member("outcome", "inDoubt")
                writer.member("reason", reason)
            }
        }
    }
}
