public import Contract
public import Domain
public import JSON

/// An appointment in the store.
public struct StoredAppointment: Sendable, Hashable {
    /// The identifier, unique in the store.
    public let id: String
    /// The details of the booking. The options name the staff member who has it.
    public var booking: BookingRequest
    /// A number that increases with each change, starting at 1.
    public var version: Int
    /// Whether the appointment is booked or cancelled.
    public var status: Appointment.Status
    /// The length in minutes, without buffers. The appointment takes this time even if
    /// ``isLengthAssumed``.
    public var minutes: Int
    /// Whether ``minutes`` is an assumption, because neither a service nor the salon stated a length when
    /// it was booked. Then no end is stated.
    public var isLengthAssumed: Bool
    /// The minutes before the appointment in which its staff member or seats are not free.
    public var bufferBefore: Int
    /// The minutes after the appointment in which its staff member or seats are not free.
    public var bufferAfter: Int
    /// The name of the service when it was booked; nil without a service.
    public var serviceName: String?
    /// The price of the service when it was booked; nil if the salon stated none.
    public var price: Price?
    /// Whether the store chose the staff member, because the customer named none.
    public var isStaffAssigned: Bool
    /// The key of the request that booked it; nil if it had none.
    public let idempotencyKey: String?

    /// Creates an appointment.
    public init(
        id: String,
        booking: BookingRequest,
        version: Int = 1,
        status: Appointment.Status = .booked,
        minutes: Int,
        isLengthAssumed: Bool = false,
        bufferBefore: Int = 0,
        bufferAfter: Int = 0,
        serviceName: String? = nil,
        price: Price? = nil,
        isStaffAssigned: Bool = false,
        idempotencyKey: String? = nil
    ) {
        self.id = id
        self.booking = booking
        self.version = version
        self.status = status
        self.minutes = minutes
        self.isLengthAssumed = isLengthAssumed
        self.bufferBefore = bufferBefore
        self.bufferAfter = bufferAfter
        (self.serviceName, self.price) = (serviceName, price)
        self.isStaffAssigned = isStaffAssigned
        self.idempotencyKey = idempotencyKey
    }

    /// Creates an appointment of a booking, without its length and a staff member whom the store
    /// chooses. `hold` is the hold that becomes this booking, or nil.
    package init(
        of booking: BookingRequest,
        as request: KeyedRequest?,
        from hold: StoredHold?,
        _ plan: BookingPlan
    ) {
        self.init(
            id: Identifier.timeOrdered().description,
            booking: booking,
            minutes: 0,
            idempotencyKey: request?.key.text
        )
        self.booking.holdID = nil
        self.booking.options.staffID = booking.options.staffID ?? hold?.requestedOptions.staffID
        setService(of: plan)
    }

    /// Sets the name and the price of the service, which stay the same if the salon changes it later,
    /// and whether the length is known.
    private mutating func setService(of plan: BookingPlan) {
        isLengthAssumed = plan.requirement.isLengthAssumed
        let service = plan.requirement.service
        (serviceName, price) = (service?.name, service?.price)
    }

    /// The service as it was booked; nil without one.
    private var bookedService: Service? {
        guard let id = booking.options.serviceID, let serviceName else { return nil }
        return Service(
            id: id,
            name: serviceName,
            minutes: minutes,
            bufferBefore: bufferBefore,
            bufferAfter: bufferAfter,
            price: price
        )
    }

    /// The appointment in the form of the contract.
    public var appointment: Appointment {
        Appointment(
            booking: booking,
            id: id,
            version: version,
            status: status,
            endTime: endTime,
            isStaffAssigned: isStaffAssigned,
            bookedService: bookedService
        )
    }

    /// The position in the list of all appointments.
    public var position: AppointmentPosition {
        AppointmentPosition(salonID: booking.salonID, id: id)
    }

    /// The end, with the UTC offset of the start; nil if it is not known.
    public var endTime: AppointmentTime? {
        isLengthAssumed
            ? nil
            : AppointmentTime(instant: takenUntil, offsetMinutes: booking.time.offsetMinutes)
    }

    /// When the time that the appointment takes ends, without buffers, even if its length is assumed.
    public var takenUntil: Timestamp { booking.time.instant.advanced(byMinutes: minutes) }

    /// The appointment after a change of its time, its options, or its status, and what it needs:
    /// nil if it keeps its staff member or seats, or is cancelled.
    package func changed(
        at salon: Salon?,
        by edit: (inout StoredAppointment, Salon?) throws -> BookingPlan?
    ) throws -> (after: StoredAppointment, plan: BookingPlan?) {
        guard status == .booked else { throw Problem.appointmentCancelled(id) }
        var after = self
        let plan = try edit(&after, salon)
        // The salon is part of the identity.
        after.booking.salonID = booking.salonID
        after.version = version + 1
        guard after.status == .booked, let plan else { return (after, nil) }
        after.setService(of: plan)
        return (after, plan)
    }
}

/// The position of an appointment in the list of all appointments, which is ordered by salon and
/// then by id. A change of the appointment does not move it.
public struct AppointmentPosition: Sendable, Hashable {
    /// The salon.
    public var salonID: SalonID
    /// The id of the appointment.
    public var id: String

    /// Creates a position. No appointment has to exist there.
    public init(salonID: SalonID, id: String) {
        self.salonID = salonID
        self.id = id
    }
}

/// The JSON in which a store retains the result of a request: the appointment in the form of the
/// contract, with its length, its buffers, and the key that booked it.
public enum StoredAppointmentCodec: ModelCodec {
    /// The schema of a stored appointment.
    public static let schema = JSONSchema.object(
        ObjectSchema(
            AppointmentCodec.properties + [
                .init("minutes", .integer),
                .optional("bufferBefore", .integer),
                .optional("bufferAfter", .integer),
                .optional("idempotencyKey", .string),
            ]
        )
    )

    /// Reads an appointment. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> StoredAppointment {
        let object = try value.object()
        let appointment = try AppointmentCodec.read(value)
        return StoredAppointment(
            id: try object.required("id").string(),
            booking: appointment.booking,
            version: appointment.version ?? 1,
            status: appointment.status,
            minutes: try object.required("minutes").integer(),
            isLengthAssumed: appointment.endTime == nil,
            bufferBefore: try object.optional("bufferBefore")?.integer() ?? 0,
            bufferAfter: try object.optional("bufferAfter")?.integer() ?? 0,
            serviceName: appointment.bookedService?.name,
            price: appointment.bookedService?.price,
            isStaffAssigned: appointment.isStaffAssigned,
            idempotencyKey: try object.optional("idempotencyKey")?.string()
        )
    }

    /// Writes an appointment.
    public static func write(_ stored: StoredAppointment, to writer: inout JSONWriter) {
        writer.object { writer in
            AppointmentCodec.writeMembers(of: stored.appointment, to: &writer)
            writer.member("minutes", stored.minutes)
            if stored.bufferBefore != 0 { writer.member("bufferBefore", stored.bufferBefore) }
            if stored.bufferAfter != 0 { writer.member("bufferAfter", stored.bufferAfter) }
            writer.member("idempotencyKey", stored.idempotencyKey)
        }
    }
}

extension StoredAppointment: StoredRow {
    package enum Column: Int32, RowColumn {
        case salonID, id, instant, offsetMinutes, minutes, status, version, phone, email, notes
        case idempotencyKey, serviceID, staffID, staffAssigned, seats, bufferBefore
        case bufferAfter, serviceName, priceAmount, priceCurrency, lengthAssumed
    }

    package static let columns = Column.list

    package static let byID = SQL(
        "SELECT \(columns) FROM appointments WHERE id = $1 AND deleted_at IS NULL"
    )
    /// The first $3 appointments after the position ($1, $2).
    package static let page = SQL(
        """
        SELECT \(columns) FROM appointments
        WHERE (salon_id, id) > ($1, $2) AND deleted_at IS NULL ORDER BY salon_id, id LIMIT $3
        """
    )
    /// The first $3 appointments of the salon $1 after the id $2.
    package static let pageOfSalon = SQL(
        """
        SELECT \(columns) FROM appointments
        WHERE salon_id = $1 AND id > $2 AND deleted_at IS NULL ORDER BY id LIMIT $3
        """
    )

    /// The first $2 appointments of the caller $3 after the id $1.
    package static let pageOfCaller = SQL(
        """
        SELECT \(columns) FROM appointments
        WHERE caller = $3 AND id > $1 AND deleted_at IS NULL ORDER BY id LIMIT $2
        """
    )
    /// Whether an active appointment of the salon $1 starts after $2.
    package static let anyActiveAfter = SQL(
        """
        SELECT true FROM appointments
        WHERE status = 'booked' AND salon_id = $1 AND instant > $2 LIMIT 1
        """
    )

    /// The first `limit` appointments after a position that are visible to the role.
    static func page(
        after position: AppointmentPosition?,
        limit: Int,
        visibleTo role: Principal.Role
    ) -> Query<[StoredAppointment]> {
        let (salon, id) = position.values
        switch role {
        case .administrator: return Query(page, salon, id, limit)
        case .customer(let phone): return Query(pageOfCaller, id, limit, phone)
        case .staff(let own):
            let own = own.description
            // The position may be before the first appointment of the salon, or after the last one.
            if salon > own { return .value([]) }
            return Query(pageOfSalon, own, salon == own ? id : "", limit)
        }
    }

    /// The first `limit` active appointments of a salon that start at `first` or later and take time
    /// after `end`, in the order in which they start.
    ///
    /// - Parameter sql: Its parameters are the others.
    static func active(
        _ sql: SQL,
        of salon: SalonID,
        startingFrom first: Timestamp,
        endingAfter end: Timestamp,
        limit: Int
    ) -> Query<[StoredAppointment]> {
        Query(sql, salon, first, end, limit)
    }

    package var values: [any SQLParameter] { Column.allCases.map(value) }

    private func value(of column: Column) -> any SQLParameter {
        switch column {
        case .salonID: booking.salonID
        case .id: id
        case .instant: booking.time.instant
        case .offsetMinutes: booking.time.offsetMinutes
        case .minutes: minutes
        case .status: status.name
        case .version: version
        case .phone: booking.phone
        case .email: booking.email
        case .notes: booking.note
        case .idempotencyKey: idempotencyKey
        case .serviceID: booking.options.serviceID
        case .staffID: booking.options.staffID
        case .staffAssigned: isStaffAssigned
        case .seats: booking.options.seats
        case .bufferBefore: bufferBefore
        case .bufferAfter: bufferAfter
        case .serviceName: serviceName
        case .priceAmount: price?.amount
        case .priceCurrency: price?.currency
        case .lengthAssumed: isLengthAssumed
        }
    }

    package init(row: some ColumnReader) throws(StorageFailure) {
        guard let salonID = row.salonID(Column.salonID),
            let status = Appointment.Status(defined: row.text(Column.status))
        else { throw StorageFailure(.corrupted, "a stored appointment is invalid") }
        let time = AppointmentTime(
            instant: row.timestamp(Column.instant),
            offsetMinutes: row.int(Column.offsetMinutes)
        )
        let booking = BookingRequest(
            salonID: salonID,
            time: time,
            phone: row.text(Column.phone),
            email: row.optionalText(Column.email),
            note: row.optionalText(Column.notes),
            options: BookingOptions(
                serviceID: row.optionalText(Column.serviceID),
                staffID: row.optionalText(Column.staffID),
                seats: row.int(Column.seats)
            )
        )
        self.init(
            id: row.text(Column.id),
            booking: booking,
            version: row.int(Column.version),
            status: status,
            minutes: row.int(Column.minutes),
            isLengthAssumed: row.bool(Column.lengthAssumed),
            bufferBefore: row.int(Column.bufferBefore),
            bufferAfter: row.int(Column.bufferAfter),
            serviceName: row.optionalText(Column.serviceName),
            price: row.isNull(Column.priceAmount)
                ? nil
                : Price(
                    amount: row.int(Column.priceAmount),
                    currency: row.text(Column.priceCurrency)
                ),
            isStaffAssigned: row.bool(Column.staffAssigned),
            idempotencyKey: row.optionalText(Column.idempotencyKey)
        )
    }
}
