package import JSON
package import JSONRPC

/// The params of one call of each method, for the documentation. They fit the sample data of
/// `novablend serve --sandbox`.
extension Method {
    /// The params of the example; nil if the method has none.
    package var example: JSONObject? {
        guard let text = Self.examples[name] ?? genericExample else { return nil }
        return try? JSONDocument(parsing: Array(text.utf8)).root.object()
    }

    /// The example of a list or of its images.
    private var genericExample: String? {
        if name.hasSuffix("/list") { return #"{"limit": 2}"# }
        if name.hasSuffix("/image") {
            return #"{"url": "https://salons.example/images/copper.png"}"#
        }
        return parameters.contains(where: \.isRequired) ? nil : "{}"
    }

    private static let salon = "5a100000-0000-4000-8000-000000000002"
    private static let staffedSalon = "5a100000-0000-4000-8000-000000000004"
    private static let hold = "b0000000-0000-4000-8000-000000000001"
    private static let appointment = "a0000000-0000-4000-8000-000000000001"

    private static let examples = [
        "salons/list": #"{"query": "paris", "fields": ["name", "location"]}"#,
        "salons/get": #"{"id": "\#(salon)"}"#,
        "salons/availability": """
        {"salonId": "\(salon)", "start": "2027-03-02T10:30:00+01:00", \
        "end": "2027-03-02T12:30:00+01:00"}
        """,
        "services/list": #"{"salonId": "\#(salon)"}"#,
        "staff/list": #"{"salonId": "\#(staffedSalon)", "serviceId": "color"}"#,
        "salons/put": """
        {"salon": {"id": "\(salon)", "name": "Atelier Nova", \
        "location": "12 Rue des Martyrs, Paris", "open_time": 12.30, "close_time": 20.30, \
        "slot_minutes": 60, "time_zone": "Europe/Paris"}, "version": 1}
        """,
        "salons/delete": #"{"salonId": "\#(salon)", "version": 1}"#,
        "appointments/book": """
        {"salonId": "\(salon)", "appointmentTime": "2027-03-02T11:30:00+01:00", \
        "phone": "+33 6 55501234", "idempotencyKey": "haircut-1"}
        """,
        "appointments/hold": """
        {"salonId": "\(salon)", "appointmentTime": "2027-03-02T11:30:00+01:00", \
        "phone": "+33 6 55501234", "serviceId": "cut", "minutes": 10, "idempotencyKey": "hold-1"}
        """,
        "appointments/release": #"{"holdId": "\#(hold)"}"#,
        "appointments/reschedule": """
        {"id": "\(appointment)", "appointmentTime": "2027-03-02T14:30:00+01:00", \
        "version": 1, "idempotencyKey": "haircut-2"}
        """,
        "appointments/cancel": """
        {"id": "\(appointment)", "version": 1, "idempotencyKey": "haircut-3"}
        """,
        "resource/subscribe": #"{"resource": "salons"}"#,
        "resource/unsubscribe": #"{"resource": "salons"}"#,
    ]
}
