extension Appointment {
    /// The other active appointments of the same phone number, at any salon, that overlap this one. People
    /// cannot be in two places, so a second one is probably a mistake.
    ///
    /// - Parameters:
    ///   - appointments: The appointments that are known. This one may be among them.
    ///   - salon: The salon of this appointment; nil if it is not known.
    public func overlappingOfCustomer(
        among appointments: [Appointment],
        at salon: Salon?
    ) -> [Appointment] {
        let phone = Phone(booking.phone)
        var others = appointments.filter { other in
            other.isActive && phone.matches(Phone(other.booking.phone))
                && overlaps(other, at: salon)
                && (id == nil || other.id != id)
        }
        // Without ids, one equal appointment in the list is this one, once it is booked.
        if id == nil, version != nil, let own = others.firstIndex(where: isSame) {
            others.remove(at: own)
        }
        return others
    }

    /// Whether both take place at the same time, without buffers. A length that is not known is assumed
    /// as elsewhere.
    private func overlaps(_ other: Appointment, at salon: Salon?) -> Bool {
        let (one, two) = (time(at: salon), other.time(at: salon))
        return one.overlaps(two)
    }

    private func time(at salon: Salon?) -> Range<Timestamp> {
        let known = salon.flatMap { $0.id == booking.salonID ? $0 : nil }
        let start = booking.time.instant
        let minutes = known?.appointmentMinutes ?? Salon.assumedSlotMinutes
        let end = end(at: known) ?? booking.time.advanced(byMinutes: minutes)
        return start..<max(end.instant, start.advanced(bySeconds: 1))
    }
}
