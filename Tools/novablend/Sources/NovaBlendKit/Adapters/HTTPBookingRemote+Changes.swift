import Contract
import Domain
import JSON
import Networking

extension HTTPBookingRemote {
    func change(
        _ change: AppointmentChange,
        key: String
    ) async throws(BookingRemoteError) -> Appointment? {
        guard let list = endpoints.appointments else { throw .notConfigured }
        guard let url = Self.url(of: change.id, in: list) else {
            throw .notOffered(reason: "the appointment's id is none that a URL can have")
        }
        var request = HTTPRequest(.delete, url)
        if case .reschedule(let time) = change.kind {
            request = HTTPRequest(.patch, url, body: Self.body(time))
            request.headers["Content-Type"] = "application/json"
        }
        request.headers["If-Match"] = "\"\(change.version)\""
        let response = try await send(request, key: key)
        guard [200, 204].contains(response.status) else {
            throw BookingRemoteError(refusal: response, of: change)
        }
        return response.body.isEmpty ? nil : try Self.echo(in: response)
    }

    /// The address of one appointment: below that of the list, and before its query.
    static func url(of id: String, in list: String) -> String? {
        guard !["", ".", ".."].contains(id) else { return nil }
        let end = list.firstIndex { $0 == "?" || $0 == "#" } ?? list.endIndex
        var path = list[..<end]
        while path.hasSuffix("/") { path.removeLast() }
        return "\(path)/\(escaped(id))\(list[end...].prefix { $0 != "#" })"
    }

    /// Every byte but the unreserved ones of RFC 3986 is escaped.
    private static func escaped(_ id: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = id.utf8.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                [byte]
            default: [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func body(_ time: AppointmentTime) -> [UInt8] {
        JSONFragment { writer in
            writer.object { writer in
                writer.key("appointmentTime")
                AppointmentTimeCodec.write(time, to: &writer)
            }
        }.bytes
    }
}
