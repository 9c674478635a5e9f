extension BookingAction {
    /// What the appointments that a remote holds tell of something that was perhaps sent to it.
    enum Evidence: Sendable, Hashable {
        /// It was done; this is the appointment now.
        case done(Appointment)
        /// It was not done, and may be under way.
        case notShown
        /// It is not done, and cannot be any more: the appointment is another since, or gone.
        case overtaken(by: Appointment?)
    }

    /// What `held` tells of this.
    ///
    /// A cancelled appointment is no evidence of a booking. It cannot be told from one of the same
    /// salon, time and phone that was made and cancelled before; and what a caller in doubt must not
    /// be told is that an appointment stands where none does. So a booking that was made and then
    /// cancelled by somebody counts as not booked, which is what holds by now.
    func evidence(in held: [Appointment]) -> Evidence {
        switch self {
        case .book(let request):
            let found = held.first {
                $0.status == .booked && $0.booking.isSameBooking(as: request)
            }
            return found.map { .done($0) } ?? .notShown
        case .change(let change): return change.evidence(of: held.first { $0.id == change.id })
        }
    }
}

extension AppointmentChange {
    /// What is told by the appointment as it is now; nil where the remote no longer lists it.
    ///
    /// The precondition is what makes this certain: while the version is the one that was named, the
    /// change was not done, and once it is a later one it never will be.
    fileprivate func evidence(of now: Appointment?) -> BookingAction.Evidence {
        let isLater = now?.version.map { $0 > version } ?? false
        switch (kind, now?.status) {
        case (.cancel, nil): return .done(outcome)
        case (.cancel, .cancelled): return .done(now ?? outcome)
        case (.reschedule, nil), (.reschedule, .cancelled): return .overtaken(by: now)
        case (.cancel, .booked): return isLater ? .overtaken(by: now) : .notShown
        case (.reschedule(let time), .booked):
            guard let now, isLater else { return .notShown }
            return now.booking.time.instant == time.instant ? .done(now) : .overtaken(by: now)
        }
    }
}
