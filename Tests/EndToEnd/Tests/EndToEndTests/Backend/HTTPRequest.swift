import Foundation

/// A request in the form in which it is sent.
struct HTTPRequest: Sendable {
    let text: String
    /// The idempotency key; empty if the request has none.
    var key = ""

    static func get(_ path: String) -> HTTPRequest {
        HTTPRequest(text: "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    }

    /// A request with a JSON body. Each field ends with CR LF.
    static func json(
        _ method: String,
        _ path: String,
        _ body: String,
        key: String = "",
        fields: String = ""
    ) -> HTTPRequest {
        let keyField = key.isEmpty ? "" : "Idempotency-Key: \(key)\r\n"
        return HTTPRequest(
            text: "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\(keyField)\(fields)"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                + body,
            key: key
        )
    }

    /// A booking at the sample salon under the key "booking-NUMBER". Different numbers have different
    /// times and different phone numbers.
    static func booking(_ number: Int) -> HTTPRequest {
        json("POST", "/appointments", bookingBody(number), key: "booking-\(number)")
    }

    static func bookingBody(_ number: Int) -> String {
        // The salon is open at least from 12:00 to 20:00, which is 16 half hours.
        let (day, slot) = number.quotientAndRemainder(dividingBy: 16)
        let (year, dayOfYear) = day.quotientAndRemainder(dividingBy: 336)
        let (month, dayOfMonth) = dayOfYear.quotientAndRemainder(dividingBy: 28)
        let time = String(
            format: "%d-%02d-%02dT%02d:%02d:00+0000",
            2_040 + year,
            month + 1,
            dayOfMonth + 1,
            12 + slot / 2,
            slot % 2 * 30
        )
        return #"{"salonId":"\#(Sample.salon)","appointmentTime":"\#(time)","#
            + #""phone":"\#(phone(number))"}"#
    }

    static func phone(_ number: Int) -> String { "+49 30 \(5_000_000 + number)" }
}
