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

extension SalonCodec {
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
