import Contract
import Domain
import JSON
import JSONRPC

/// The methods about appointments.
struct AppointmentMethods {
    private let loader: ResourceLoader<[Appointment]>
    private let booking: BookAppointment
    private let resolution: ResolveBookings
    private let salons: LoadedSalons
    private let changes: ChangeFeed

    init(
        loader: ResourceLoader<[Appointment]>,
        booking: BookAppointment,
        resolution: ResolveBookings,
        salons: LoadedSalons,
        changes: ChangeFeed
    ) {
        self.loader = loader
        self.booking = booking
        self.resolution = resolution
        self.salons = salons
        self.changes = changes
    }

    var all: [Method] { [list, book, resolve] }

    private var list: Method {
        Method(
            "appointments/list",
            "Lists what was booked: from the remote, or from the cache without a connection.",
            title: "List appointments",
            parameters: [LoadReply.policy],
            result: .init(
                "appointments",
                "them and their provenance",
                schema: ObjectSchema([
                    .init("appointments", Schemas.array(of: Schemas.appointment.fragment)),
                    Schemas.provenance,
                ])
            )
        ) { [loader, changes] call throws(RPCError) in
            let news = News(resource: "appointments", feed: changes)
            let loaded = try await LoadReply.load(loader, call, news)
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
        var method = Method(
            "appointments/book",
            "Books an appointment, once: repeat with the same idempotencyKey to be sure.",
            title: "Book an appointment",
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
            result: .init(
                "appointment",
                "what was booked, and its key",
                schema: ObjectSchema([
                    .init("appointment", Schemas.appointment.fragment),
                    .init("idempotencyKey", Schemas.string),
                    .init("cacheError", Schemas.string, "why it was not kept", isRequired: false),
                ])
            ),
            effect: .changes(isIdempotent: true)
        ) { [booking, changes] call throws(RPCError) in
            let request = try Self.request(of: call.params)
            let key = try call.params.string("idempotencyKey")
            call.report("booking")
            do throws(BookingError) {
                let booked = try await booking.book(request, key: key)
                changes.announce("appointments")
                return Self.reply(to: booked)
            } catch {
                throw RPCError(error)
            }
        }
        method.idempotencyParameter = "idempotencyKey"
        method.confirmation = { [salons] params throws(RPCError) in
            try await Self.question(params, salons)
        }
        return method
    }

    /// Names the salon and the time, and nothing that tells who the customer is.
    private static func question(
        _ params: Params,
        _ salons: LoadedSalons
    ) async throws(RPCError) -> String {
        let request = try request(of: params)
        var place = "salon \(request.salonID)"
        if case .known(let salon) = await salons.salon(request.salonID) {
            place = "\(salon.name), \(salon.location)"
        }
        return "Book an appointment at \(place), at \(ISO8601.format(request.time))?"
    }

    private var resolve: Method {
        Method(
            "appointments/resolve",
            "Finds out what became of bookings whose answer never came; sends nothing again.",
            title: "Resolve bookings in doubt",
            result: .init(
                "resolutions",
                "one for each that was open",
                schema: ObjectSchema([
                    .init("resolutions", Schemas.array(of: Self.resolutionSchema.fragment))
                ])
            ),
            effect: .changes(isIdempotent: true)
        ) { [resolution, changes] _ throws(RPCError) in
            do throws(JournalError) {
                let resolutions = try await resolution.resolve()
                if resolutions.contains(where: \.isBooked) { changes.announce("appointments") }
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

    private static let resolutionSchema = ObjectSchema([
        .init("idempotencyKey", Schemas.string),
        .init("outcome", Schemas.oneOf(["booked", "notBooked", "inDoubt"])),
        .init("appointment", Schemas.appointment.fragment, isRequired: false),
        .init("reason", Schemas.string, isRequired: false),
    ])

    private static func request(of params: Params) throws(RPCError) -> BookingRequest {
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

extension ResolveBookings.Resolution {
    fileprivate var isBooked: Bool {
        if case .booked = outcome { true } else { false }
    }
}
