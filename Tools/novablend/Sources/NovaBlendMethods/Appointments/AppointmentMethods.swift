import Contract
package import Domain
import JSON
package import JSONRPC
package import NovaBlendAdapters
package import NovaBlendChanges
package import SystemSupport

/// The methods about appointments.
package struct AppointmentMethods {
    /// What the methods call.
    package final class UseCases: Sendable {
        fileprivate let loader: ResourceLoader<[Appointment]>
        fileprivate let booking: BookAppointment
        fileprivate let changing: ChangeAppointment
        fileprivate let holding: HoldSlot
        fileprivate let resolution: ResolveBookings
        fileprivate let ownBookings: OwnBookings
        fileprivate let ownHolds: OwnHolds
        fileprivate let salons: LoadedSalons
        fileprivate let times: ReadSalonTime

        package init(
            loader: ResourceLoader<[Appointment]>,
            booking: BookAppointment,
            holding: HoldSlot,
            ownBookings: OwnBookings,
            ownHolds: OwnHolds,
            salons: LoadedSalons,
            times: ReadSalonTime
        ) {
            self.loader = loader
            self.booking = booking
            changing = ChangeAppointment(booking)
            self.holding = holding
            resolution = ResolveBookings(booking)
            self.ownBookings = ownBookings
            self.ownHolds = ownHolds
            self.salons = salons
            self.times = times
        }
    }

    private let useCases: LazyValue<UseCases>
    let otherAccounts: OtherAccounts
    let changes: ChangeNotifier
    /// The files that exports never replace.
    let ownFiles: ProtectedFiles
    /// The version of this program, for the product identifier of a calendar.
    let version: String

    /// The use cases are made when the first method is called, as in ``SalonMethods``.
    package init(
        _ useCases: @escaping @autoclosure @Sendable () -> UseCases,
        otherAccounts: OtherAccounts,
        changes: ChangeNotifier,
        ownFiles: ProtectedFiles,
        version: String
    ) {
        self.useCases = LazyValue(useCases)
        self.otherAccounts = otherAccounts
        self.changes = changes
        self.ownFiles = ownFiles
        self.version = version
    }

    var loader: ResourceLoader<[Appointment]> { useCases.value.loader }
    var booking: BookAppointment { useCases.value.booking }
    var changing: ChangeAppointment { useCases.value.changing }
    var holding: HoldSlot { useCases.value.holding }
    var resolution: ResolveBookings { useCases.value.resolution }
    var ownBookings: OwnBookings { useCases.value.ownBookings }
    var ownHolds: OwnHolds { useCases.value.ownHolds }
    var salons: LoadedSalons { useCases.value.salons }
    var times: ReadSalonTime { useCases.value.times }

    package static let list: MethodName<AppointmentListReply> = "appointments/list"
    package static let book: MethodName<ConfirmedReply> = "appointments/book"
    package static let hold: MethodName<HoldReply> = "appointments/hold"
    package static let release: MethodName<ReleaseReply> = "appointments/release"
    package static let reschedule: MethodName<ConfirmedReply> = "appointments/reschedule"
    package static let cancel: MethodName<ConfirmedReply> = "appointments/cancel"
    package static let resolve: MethodName<ResolutionsReply> = "appointments/resolve"
    package static let export: MethodName<CalendarReply> = "appointments/export"

    package var all: [Method] {
        [list, book, hold, release, reschedule, cancel, resolve, export]
    }

    static let appointmentTime = Method.Parameter.time(
        "appointmentTime",
        "YYYY-MM-DDThh:mm+hh:mm; the offset is optional if the salon has a time_zone",
        isRequired: true
    )

    /// The parameters that state what is booked or held, and for which phone number.
    static let slotParameters: [Method.Parameter] =
        [
            SalonReference.parameter(isRequired: true), appointmentTime,
            .init("phone", "the customer's phone number", isRequired: true).personal,
        ] + BookingOptionParameters.all

    /// The parameters that a booking needs unless its hold states them.
    static let neededParameters = slotParameters.filter(\.isRequired)

    private static let optionalSlotParameters = slotParameters.map { parameter in
        var parameter = parameter
        parameter.isRequired = false
        return parameter
    }

    /// The parameters that state what is booked. A hold can state the first ones.
    static let bookingParameters: [Method.Parameter] =
        optionalSlotParameters + [
            .init("email", "the customer's email").personal,
            .freeText("notes", "what the salon should know").personal,
            .init(
                "holdId",
                "from \(Self.hold); it states what you leave out. Without it, "
                    + "salonId, appointmentTime, and phone are required"
            ),
        ]

    private var book: Method {
        Method(
            Self.book,
            "Books a free time from \(SlotMethods.availability). A repeated call with the same "
                + "idempotencyKey books only once.",
            title: "Book an appointment",
            parameters: Self.bookingParameters + [ConfirmedReply.key, DryRun.parameter],
            result: .init(
                "appointment",
                "the appointment, and the key of the booking",
                schema: ConfirmedReply.schema
            ),
            effect: .changes(),
            data: Self.data,
            errors: ProgramError.loading + Self.sendingErrors + Self.slotErrors + [
                .tooManyAppointments
            ],
            example: """
                {"salonId": "\(ExampleID.salon)", "appointmentTime": "2027-03-02T11:30:00+01:00", \
                "phone": "+33 6 55501234", "idempotencyKey": "haircut-1"}
                """,
            confirmation: confirmation,
            appUse: .callable,
            attempt: .booking(.book),
            handler: handleBooking
        )
    }

    /// What bookings and changes read and change.
    static let data = DataAccess(reads: [SalonListCodec.name], changes: [AppointmentListCodec.name])

    /// The errors of a booking or a change that is sent.
    static let sendingErrors: [ProgramError] = [
        .bookingRequiresConnection, .invalidData, .serverRejected, .notAuthenticated, .notAllowed,
        .journalUnavailable, .bookingInDoubt, .idempotencyConflict, .notConfigured,
    ]

    /// The errors of a slot that cannot be booked.
    static let slotErrors = ProgramError.aboutTimes + [.salonNotFound]

    /// The question before a booking; nil if the booking already exists. Throws every error that can be
    /// detected before the booking is sent.
    private func confirmation(
        before params: Params
    ) async throws -> Method.Confirmation? {
        let input = try await BookingCall(params, times, salons, holding)
        do {
            let preview = try await booking.preview(input.request, at: input.salon, key: input.key)
            if preview.isDone { return nil }
            try booking.checkJournal()
            let after = reserved(preview.after, by: input.request.holdID)
            let details = AppointmentDetails(appointment: after, salon: input.salon)
            let warnings = await warnings(about: after, at: input.salon)
            return Method.Confirmation(
                question: "Book this appointment?",
                details: details.lines() + warnings.map(\.line),
                pinnedArguments: ConfirmedReply.pinnedKey(of: preview)
                    .merging(SalonReference.pinned(input.request.salonID)) { $1 },
                isExplicit: input.isExplicit
            )
        } catch {
            throw error.withTimes(on: input.clock)
        }
    }

    private func handleBooking(_ call: Call) async throws -> ConfirmedReply {
        let input = try await BookingCall(call.params, times, salons, holding)
        let isDryRun = try DryRun.isWanted(call.params)
        do {
            if isDryRun {
                let preview = try await booking.preview(
                    input.request,
                    at: input.salon,
                    key: input.key
                )
                let after = reserved(preview.after, by: input.request.holdID)
                let warnings = await warnings(about: after, at: input.salon)
                return ConfirmedReply(after, at: input.salon, warnings: warnings)
            }
            call.report("booking")
            let booked = try await booking.book(input.request, at: input.salon, key: input.key)
            changes.announce(AppointmentListCodec.name)
            let appointment = booked.appointment
            if let id = input.request.holdID { ownHolds.end(id) }
            var salon = input.salon
            await salon.reload(ifNotOnClock: appointment.booking.time)
            let warnings = await warnings(about: appointment, at: salon, .cacheOnly)
            return ConfirmedReply(appointment, confirmation: booked, at: salon, warnings: warnings)
        } catch {
            throw error.withTimes(on: input.clock)
        }
    }

    /// The appointment with the staff member whom the caller's own hold reserves.
    private func reserved(_ appointment: Appointment, by hold: String?) -> Appointment {
        guard appointment.booking.options.staffID == nil,
            let held = hold.flatMap(ownHolds.hold)?.appointment.booking.options.staffID
        else { return appointment }
        var reserved = appointment
        reserved.booking.options.staffID = held
        reserved.isStaffAssigned = true
        return reserved
    }
}
