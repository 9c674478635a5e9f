import Domain

extension DigitWriter {
    mutating func put(_ date: CalendarDate) {
        let (year, month, day) = date.parts
        put(twoDigits: year / 100)
        put(twoDigits: year % 100)
        put("-")
        put(twoDigits: month)
        put("-")
        put(twoDigits: day)
    }

    mutating func put(_ local: LocalTime) {
        let second = local.secondOfDay
        put(local.date)
        put("T")
        put(twoDigits: second / 3_600)
        put(":")
        put(twoDigits: second / 60 % 60)
        put(":")
        put(twoDigits: second % 60)
    }

    /// Writes a time with its offset, such as `2024-10-20T11:24:59+0000`.
    mutating func put(_ time: AppointmentTime) {
        put(time.localTime)
        put(offsetMinutes: time.offsetMinutes)
    }

    /// Writes an offset, clamped to what four digits can express.
    mutating func put(offsetMinutes: Int, separator: Unicode.Scalar? = nil) {
        put(offsetMinutes < 0 ? "-" : "+")
        let offset = Int(min(offsetMinutes.magnitude, 5_999))
        put(twoDigits: offset / 60)
        if let separator { put(separator) }
        put(twoDigits: offset % 60)
    }
}
