import Domain

extension DigitWriter {
    mutating func put(_ date: CalendarDate) {
        let (year, month, day) = date.parts
        put(year, digits: 4)
        put("-")
        put(month, digits: 2)
        put("-")
        put(day, digits: 2)
    }

    mutating func put(_ local: LocalTime) {
        let second = local.secondOfDay
        put(local.date)
        put("T")
        put(second / 3_600, digits: 2)
        put(":")
        put(second / 60 % 60, digits: 2)
        put(":")
        put(second % 60, digits: 2)
    }

    /// Writes a time as the seeds do.
    mutating func put(_ time: AppointmentTime) {
        put(time.localTime)
        put(offsetMinutes: time.offsetMinutes)
    }

    /// Writes an offset, clamped to what four digits can express.
    mutating func put(offsetMinutes: Int, separator: Unicode.Scalar? = nil) {
        put(offsetMinutes < 0 ? "-" : "+")
        let offset = Int(min(offsetMinutes.magnitude, 5_999))
        put(offset / 60, digits: 2)
        if let separator { put(separator) }
        put(offset % 60, digits: 2)
    }
}
