public import Domain

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
    /// The length in minutes, without buffers.
    public var minutes: Int
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

    /// Sets the name and the price of the service, which stay the same if the salon changes it later.
    private mutating func setService(of plan: BookingPlan) {
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

    /// The end, with the UTC offset of the start.
    public var endTime: AppointmentTime {
        AppointmentTime(
            instant: booking.time.instant.advanced(byMinutes: minutes),
            offsetMinutes: booking.time.offsetMinutes
        )
    }

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
