import Contract
import Domain
import JSON

/// Reads arbitrary bytes with every codec. A value that a codec accepts must be written so that it is
/// read back equal.
public func fuzzContract(_ bytes: UnsafeRawBufferPointer) {
    bytes.withMemoryRebound(to: UInt8.self) { text in
        if let time = ISO8601.parse(text) {
            checkTime(time)
            checkClock(of: time, in: text)
        }
        checkRequest(text)
        if let id = SalonID(utf8: text) { precondition(SalonID(id.description) == id) }
    }
    if let time = binaryTime(bytes) { checkTime(time) }
    guard let root = try? JSONDocument(parsing: bytes).root else { return }
    check(SalonListCodec.self, root)
    check(EncodedListCodec<SalonListCodec>.self, root)
    check(AppointmentListCodec.self, root)
    check(SlotListCodec.self, root)
    check(SalonCodec.self, root)
    check(AppointmentCodec.self, root)
    check(BookingRequestCodec.self, root)
    check(SlotCodec.self, root)
    check(SalonIDCodec.self, root)
    check(AppointmentTimeCodec.self, root)
    check(TimeOfDayCodec.self, root)
    check(FeedCodec.self, root)
    check(MenuCodec.self, root)
    check(MovieListCodec.self, root)
    check(FeedImageCodec.self, root)
    check(MenuItemCodec.self, root)
    check(MovieCodec.self, root)
    check(CalendarDateCodec.self, root)
    check(WeeklyHoursCodec.self, root)
    check(DayHoursCodec.self, root)
    check(OpeningHoursCodec.self, root)
    check(OpeningExceptionCodec.self, root)
    check(ServiceCodec.self, root)
    check(PriceCodec.self, root)
    check(StaffMemberCodec.self, root)
    check(StaffAvailabilityCodec.self, root)
    check(BookingOptionsCodec.self, root)
    check(LocalIDCodec.self, root)
    check(HoldCodec.self, root)
}

private func check<Codec: ModelCodec>(_ codec: Codec.Type, _ value: JSONValue)
where Codec.Model: Equatable {
    do throws(JSONError) {
        let model = try codec.read(value)
        let written = codec.encode(model)
        precondition(copy(codec, value) == .success(written), "\(codec) copies a different text")
        guard let again = try? codec.decode(written) else {
            preconditionFailure("\(codec) rejects what it wrote")
        }
        precondition(again == model, "\(codec) reads back a different model")
        // Strings in different Unicode forms are equal, but their bytes are not.
        precondition(codec.encode(again) == written, "\(codec) writes different bytes again")
    } catch {
        guard case .mismatch = error else {
            preconditionFailure("\(codec) throws an error that is not a mismatch: \(error)")
        }
        precondition(copy(codec, value) == .failure(error), "\(codec) copies what it rejects")
    }
}

private func copy<Codec: ModelCodec>(
    _ codec: Codec.Type,
    _ value: JSONValue
) -> Result<[UInt8], JSONError> {
    Result { () throws(JSONError) in
        var writer = JSONWriter()
        try codec.copy(value, to: &writer)
        return JSONFragment(writer).bytes
    }
}

/// A requested time with an offset or with `Z` must be the time that the contract reads.
private func checkRequest(_ text: UnsafeBufferPointer<UInt8>) {
    switch ISO8601.parseRequested(text) {
    case .wallClock(let time): precondition(ISO8601.parse(text) == time)
    case .instant(let instant): precondition(ISO8601.parse(text)?.instant == instant)
    case .local, nil: precondition(ISO8601.parse(text) == nil)
    case .relative: preconditionFailure("ISO 8601 has no relative times.")
    }
}

/// A time from eight bytes of seconds and two bytes of offset. It covers times that have no text.
private func binaryTime(_ bytes: UnsafeRawBufferPointer) -> AppointmentTime? {
    guard bytes.count >= 10 else { return nil }
    return AppointmentTime(
        instant: Timestamp(secondsSince1970: bytes.loadUnaligned(as: Int64.self)),
        offsetMinutes: Int(bytes.loadUnaligned(fromByteOffset: 8, as: Int16.self))
    )
}

/// The date and the time must be written as they were in the text. This detects a date that does not
/// exist, because it would be written as a different date.
private func checkClock(of time: AppointmentTime, in text: UnsafeBufferPointer<UInt8>) {
    let count = text.count > 16 && text[16] == UInt8(ascii: ":") ? 19 : 16
    let clock = text.prefix(count).map { $0 == UInt8(ascii: "t") ? UInt8(ascii: "T") : $0 }
    let written = ISO8601.format(time).utf8.prefix(count)
    precondition(written.elementsEqual(clock), "the clock differs")
}

private func checkTime(_ time: AppointmentTime) {
    let text = ISO8601.format(time)
    guard let again = ISO8601.parse(text) else { preconditionFailure("\(text) is rejected") }
    let local = time.instant.advanced(bySeconds: Int64(time.offsetMinutes) * 60)
    // A year outside 0001 to 9999 is clamped.
    let writable: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
    guard writable.contains(local.secondsSince1970) else { return }
    precondition(again == time, "\(text) is read back as a different time")
    precondition(
        text.dropFirst(11).hasPrefix(time.timeOfDay.description),
        "\(text) does not have the time of day"
    )
}
