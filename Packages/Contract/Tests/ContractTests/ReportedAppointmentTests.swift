import Contract
import Domain
import JSON
import Testing

@Suite("Appointments in a server's response")
struct ReportedAppointmentTests {
    private func decode(_ text: String) throws -> ReportedAppointment {
        try ReportedAppointmentCodec.decode(Array(text.utf8))
    }

    @Test("every field is read")
    func everything() throws {
        let report = try decode(
            """
            {"id": "a", "version": 2, "status": "canceled", "idempotencyKey": "k",
             "salonId": "5A100000-0000-4000-8000-000000000001",
             "appointmentTime": "2026-10-20T11:24:59+0200", "phone": "1", "email": "e", "notes": "n",
             "serviceId": "cut", "staffId": "ana", "seats": 2, "staffAssigned": true,
             "endTime": "2026-10-20T12:09:59+0200"}
            """
        )
        var expected = ReportedAppointment(status: .cancelled)
        (expected.id, expected.version, expected.idempotencyKey) = ("a", 2, "k")
        expected.salonID = SalonID("5a100000-0000-4000-8000-000000000001")
        expected.time = ISO8601.parse("2026-10-20T11:24:59+02:00")
        (expected.phone, expected.email, expected.note) = ("1", "e", "n")
        (expected.serviceID, expected.staffID, expected.seats) = ("cut", "ana", 2)
        expected.endTime = ISO8601.parse("2026-10-20T12:09:59+02:00")
        expected.isStaffAssigned = true
        #expect(report == expected)
        let appointment = try #require(report.appointment)
        #expect(ReportedAppointment(appointment, idempotencyKey: "k") == report)
    }

    @Test("a field that is absent, null, or invalid is missing; the others are read")
    func sparse() throws {
        #expect(try decode("{}") == ReportedAppointment())
        let report = try decode(
            """
            {"id": 7, "version": "x", "status": 1, "idempotencyKey": null, "salonId": "1",
             "appointmentTime": "soon", "phone": 5, "email": [], "notes": "n",
             "serviceId": 1, "staffId": "", "seats": 0, "endTime": "12:00", "staffAssigned": 1}
            """
        )
        // A status with an invalid value is not ignored: it becomes an unknown status, which is no
        // evidence.
        var expected = ReportedAppointment(status: .other("1"))
        expected.note = "n"
        #expect(report == expected)
    }

    @Test("a list is read with its subject; anything but a list of objects is an error")
    func list() throws {
        func decode(_ text: String) throws(JSONError) -> ([ReportedAppointment], String?) {
            try ReportedAppointmentListCodec.decode(Array(text.utf8), limits: JSONLimits())
        }
        let (appointments, subject) = try decode(
            #"{"subject": "ada", "appointments": [{"id": "a"}, {"id": "b"}]}"#
        )
        #expect(appointments.map(\.id) == ["a", "b"] && subject == "ada")
        #expect(try decode(#"{"appointments": []}"#).1 == nil)
        for broken in ["[]", "{}", #"{"appointments": {}}"#, #"{"appointments": [1]}"#, "<html>"] {
            #expect(throws: JSONError.self) { try decode(broken) }
        }
    }
}
