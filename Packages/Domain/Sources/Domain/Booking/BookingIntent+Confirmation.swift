/// Decides which reports confirm an intent. The response to a request and the entries of a list are
/// judged by the same rules.
///
/// Missing fields and masked phones are not differences, but they confirm nothing either. Notes and
/// emails do not count, because servers rewrite them.
extension BookingIntent {
    /// The appointment that the response to this intent's request confirms; nil if it does not
    /// confirm that the request was done. `claimed` are the ids of the appointments of other intents.
    func confirmation(by echo: ReportedAppointment, claimed: Set<String>) -> Appointment? {
        let isConfirmed =
            switch action {
            case .book(let request):
                echo.isConfirmed && mayBeBooked(as: echo, claimed: claimed)
                    && identifiesBooking(echo) && echo.hasPhone(of: request)
            case .change(let change):
                (echo.id == change.id || echo.id == nil && echo.idempotencyKey == key)
                    && change.isShown(by: echo)
            }
        return isConfirmed ? echo.completed(by: action.outcome) : nil
    }

    /// Whether `report` may describe the booking of this intent, as it was requested: nothing that
    /// it states contradicts this. Its status does not matter.
    func mayBeBooked(as report: ReportedAppointment, claimed: Set<String>) -> Bool {
        guard case .book(let request) = action,
            report.salonID ?? request.salonID == request.salonID,
            report.time?.isSameMinute(as: request.time) ?? true,
            report.isCompatible(with: request.options)
        else { return false }
        if let reportedKey = report.idempotencyKey { return reportedKey == key }
        guard let id = report.id else { return true }
        return !knownBefore.ids.contains(id) && !claimed.contains(id)
    }

    /// Whether the response to a booking states enough to be about this booking: the key, or the time
    /// together with the salon or an id.
    private func identifiesBooking(_ echo: ReportedAppointment) -> Bool {
        echo.idempotencyKey == key || echo.time != nil && (echo.salonID != nil || echo.id != nil)
    }
}

extension AppointmentChange {
    /// Whether `report`, which is about the appointment of this change, shows the change.
    func isShown(by report: ReportedAppointment) -> Bool {
        switch kind {
        case .cancel: report.error == nil && report.status == .cancelled
        case .reschedule(let time, let options):
            // If the time stays the same, only a later version can show the change of the options.
            // Otherwise the version does not count: the repeated response to an old key may have an
            // old one.
            report.isConfirmed && report.shows(time, options)
                && (!time.isSameMinute(as: before.booking.time)
                    || report.version.map { $0 > version } ?? true)
        }
    }
}

extension ReportedAppointment {
    /// Whether the server states that the appointment is booked, and no error.
    var isConfirmed: Bool { error == nil && status == .booked }

    /// The error or the unknown status because of which the report proves nothing; nil if there is
    /// neither.
    var caveat: String? {
        if let error { return "an error: \(error)" }
        if case .other(let name) = status { return "the status \(name)" }
        return nil
    }

    /// Whether the phone is missing or masked, or may be that of `request`.
    fileprivate func hasPhone(of request: BookingRequest) -> Bool {
        phone.flatMap(request.hasPhone) ?? true
    }
}
