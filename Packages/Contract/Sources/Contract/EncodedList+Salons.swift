public import Domain
import Glibc
public import JSON

extension EncodedList<SalonListCodec> {
    /// The first salon with `id`; nil if no salon has it. Other salons are not decoded.
    public func model(_ id: SalonID) throws(JSONError) -> Salon? {
        guard let number = numbers(ofID: id.description).first else { return nil }
        return try SalonCodec.read(element(number))
    }
}

/// What a text of a salon is that people search for.
public enum SalonText: String, Sendable, CaseIterable {
    /// The name of the salon.
    case name
    /// The location.
    case location
    /// One of the other names.
    case alias
    /// The name of a service.
    case service
    /// The name of a staff member.
    case staff
}

extension SalonCodec {
    /// Calls `body` with the aliases, the names of the services, and those of the staff of an encoded
    /// salon, in UTF-8, until it returns true. The salon is not parsed unless it contains an escape.
    ///
    /// - Parameters:
    ///   - salon: The salon, as this codec writes it.
    ///   - onlyAliases: Whether to leave out services and staff.
    ///   - body: Takes what the text is, and the text. Returns whether it was the last one.
    /// - Returns: Whether `body` has returned true.
    public static func anyOtherText(
        of salon: UnsafeBufferPointer<UInt8>,
        onlyAliases: Bool = false,
        _ body: (SalonText, UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        // Most salons of a long list have no list of anything.
        guard let base = salon.baseAddress,
            memchr(base, Int32(UInt8(ascii: "[")), salon.count) != nil
        else { return false }
        if memchr(base, Int32(UInt8(ascii: "\\")), salon.count) != nil {
            return anyOtherText(of: try? decode(Array(salon)), onlyAliases, body)
        }
        // Without escapes, every quotation mark within a text would end it, so these are keys.
        if let start = salon.start(of: #","aliases":["#) {
            var position = start + #","aliases":["#.utf8.count + 1
            while let text = text(in: salon, from: position) {
                if body(.alias, text) { return true }
                position += text.count + 1
                guard salon[position] == UInt8(ascii: ",") else { break }
                position += 2
            }
        }
        if onlyAliases { return false }
        // The services of a staff member are ids.
        let services = salon.start(of: #","services":[{"#) ?? salon.count
        let staff = salon.start(of: #","staff":[{"#) ?? salon.count
        return anyName(in: salon, services..<max(services, staff), { body(.service, $0) })
            || anyName(in: salon, staff..<salon.count, { body(.staff, $0) })
    }

    /// Calls `body` with the names of the objects within a range, until it returns true.
    private static func anyName(
        in salon: UnsafeBufferPointer<UInt8>,
        _ range: Range<Int>,
        _ body: (UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        let key: StaticString = #","name":""#
        var rest = UnsafeBufferPointer(rebasing: salon[range])
        while let start = rest.start(of: key).map({ $0 + key.utf8CodeUnitCount }),
            let name = text(in: rest, from: start)
        {
            if body(name) { return true }
            rest = UnsafeBufferPointer(rebasing: rest[(start + name.count)...])
        }
        return false
    }

    private static func anyOtherText(
        of salon: Salon?,
        _ onlyAliases: Bool,
        _ body: (SalonText, UnsafeBufferPointer<UInt8>) -> Bool
    ) -> Bool {
        guard let salon else { return false }
        let aliases = salon.aliases.map { (SalonText.alias, $0) }
        let names =
            salon.services.map { (SalonText.service, $0.name) }
            + salon.staff.map { (SalonText.staff, $0.name) }
        return (aliases + (onlyAliases ? [] : names)).contains { kind, text in
            var text = text
            return text.withUTF8 { body(kind, $0) }
        }
    }

    /// Calls `body` with the name and the location of an encoded salon, in UTF-8. The salon is not
    /// parsed unless one of them contains an escape.
    public static func withTexts<R>(
        of salon: UnsafeBufferPointer<UInt8>,
        _ body: (_ name: UnsafeBufferPointer<UInt8>, _ location: UnsafeBufferPointer<UInt8>) -> R
    ) -> R {
        // `write` begins with these members.
        let nameStart = "{'id':'','name':'".utf8.count + Identifier.textLength
        if let name = text(in: salon, from: nameStart),
            let location = text(
                in: salon,
                from: nameStart + name.count + "','location':'".utf8.count
            )
        {
            return body(name, location)
        }
        let salon = try? decode(Array(salon))
        var (name, location) = (salon?.name ?? "", salon?.location ?? "")
        return name.withUTF8 { name in location.withUTF8 { body(name, $0) } }
    }

    /// The text from `start` up to the next quote; nil if it contains an escape.
    private static func text(
        in salon: UnsafeBufferPointer<UInt8>,
        from start: Int
    ) -> UnsafeBufferPointer<UInt8>? {
        guard start < salon.count, let base = salon.baseAddress,
            let quote = memchr(base + start, Int32(UInt8(ascii: "\"")), salon.count - start)
        else { return nil }
        let length = UnsafeRawPointer(quote) - UnsafeRawPointer(base + start)
        if memchr(base + start, Int32(UInt8(ascii: "\\")), length) != nil { return nil }
        return UnsafeBufferPointer(start: base + start, count: length)
    }
}
