import Contract
import Domain
import JSON

/// Reads any bytes with every codec; what is accepted must be written so that it reads back equal.
public func fuzzContract(_ bytes: UnsafeRawBufferPointer) {
    bytes.withMemoryRebound(to: UInt8.self) { text in
        if let time = ISO8601.parse(text) {
            checkTime(time)
            checkClock(of: time, saidIn: text)
        }
        checkRequest(text)
        if let id = SalonID(utf8: text) { precondition(SalonID(id.description) == id) }
    }
    if let time = countedTime(bytes) { checkTime(time) }
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
}

private func check<Codec: ModelCodec>(_ codec: Codec.Type, _ value: JSONValue)
where Codec.Model: Equatable {
    do throws(JSONError) {
        let model = try codec.read(value)
        let written = codec.encode(model)
        precondition(copy(codec, value) == .success(written), "\(codec) copies something else")
        guard let again = try? codec.decode(written) else {
            preconditionFailure("\(codec) refuses what it wrote")
        }
        precondition(again == model, "\(codec) reads something else than it wrote")
        // Strings are equal in all their Unicode forms; bytes only in one.
        precondition(codec.encode(again) == written, "\(codec) writes the same otherwise")
    } catch {
        guard case .mismatch = error else {
            preconditionFailure("\(codec) blames the text for its shape: \(error)")
        }
        precondition(copy(codec, value) == .failure(error), "\(codec) copies what it refuses")
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

/// What is asked for with an offset or with `Z` must be what the contract reads.
private func checkRequest(_ text: UnsafeBufferPointer<UInt8>) {
    switch ISO8601.parseRequested(text) {
    case .wallClock(let time): precondition(ISO8601.parse(text) == time)
    case .instant(let instant): precondition(ISO8601.parse(text)?.instant == instant)
    case .local: precondition(ISO8601.parse(text) == nil)
    case nil: precondition(ISO8601.parse(text) == nil)
    }
}

/// A time of eight bytes of seconds and two of offset; these reach what no text can say.
private func countedTime(_ bytes: UnsafeRawBufferPointer) -> AppointmentTime? {
    guard bytes.count >= 10 else { return nil }
    return AppointmentTime(
        instant: Timestamp(secondsSince1970: bytes.loadUnaligned(as: Int64.self)),
        offsetMinutes: Int(bytes.loadUnaligned(fromByteOffset: 8, as: Int16.self))
    )
}

/// Date and clock must be written as they were said: a day that does not exist would come back as
/// the next one.
private func checkClock(of time: AppointmentTime, saidIn text: UnsafeBufferPointer<UInt8>) {
    let said = text.prefix(19).map { $0 == UInt8(ascii: "t") ? UInt8(ascii: "T") : $0 }
    precondition(ISO8601.format(time).utf8.prefix(19).elementsEqual(said), "the clock is another")
}

private func checkTime(_ time: AppointmentTime) {
    let text = ISO8601.format(time)
    guard let again = ISO8601.parse(text) else { preconditionFailure("\(text) is refused") }
    let local = time.instant.advanced(bySeconds: Int64(time.offsetMinutes) * 60)
    // Years outside 0001 to 9999 are written as the nearest time within.
    let writable: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
    guard writable.contains(local.secondsSince1970) else { return }
    precondition(again == time, "\(text) reads back as another time")
    precondition(text.dropFirst(11).hasPrefix(time.timeOfDay.description), "\(text) has two clocks")
}
