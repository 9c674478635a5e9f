// Lists salons, books the first free time of tomorrow, shows the appointment, and tries to book the same
// time for someone else.
//
// usage: salon-client [PROGRAM [ARGUMENT...]]
//
// The default is `novablend serve --sandbox`, which runs a temporary server with sample salons.
import CivilTime
import Glibc
import JSON

func fail(_ message: String) -> Never {
    let line = "salon-client: \(message)\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
    exit(1)
}

/// Prints the salons, and returns the id of the one with this name.
func listSalons(_ novablend: Novablend, findingID wanted: String) throws -> String? {
    var id: String?
    for salon in try novablend.call("salons/list").required("salons").array() {
        let name = try salon.object().required("name").string()
        print("salon: \(name), \(try salon.object().required("location").string())")
        if name == wanted { id = try salon.object().required("id").string() }
    }
    return id
}

/// The first free time of tomorrow, with the offset of the salon's clock.
func firstFreeTime(_ novablend: Novablend, salonID: String) throws -> String? {
    let today = LocalTime(Timestamp(secondsSince1970: Int64(time(nil))), offsetSeconds: 0).date
    let tomorrow = today.advanced(byDays: 1).description
    let result = try novablend.call("salons/availability") { writer in
        writer.member("salonId", salonID)
        writer.member("start", tomorrow)
        writer.member("end", tomorrow)
        writer.member("onlyFree", true)
    }
    guard let day = try result.required("days").array().first(where: { _ in true }),
        let time = try day.object().optional("free")?.array().first(where: { _ in true })
    else { return nil }
    let date = try day.object().required("date").string()
    return try "\(date)T\(time.string())\(result.required("offset").string())"
}

/// Books a time, and returns the appointment. A repeated call with the same key books only once, so a
/// program that stores the key can be restarted at any time.
func book(
    _ novablend: Novablend,
    salonID: String,
    time: String,
    phone: String,
    key: String
) throws -> JSONObject {
    let result = try novablend.call("appointments/book") { writer in
        writer.member("salonId", salonID)
        writer.member("appointmentTime", time)
        writer.member("phone", phone)
        writer.member("idempotencyKey", key)
    }
    return try result.required("appointment").object()
}

func run(_ novablend: Novablend) throws {
    guard let salonID = try listSalons(novablend, findingID: "Scherenschnitt"),
        let time = try firstFreeTime(novablend, salonID: salonID)
    else { return print("no free time") }
    let booked = try book(
        novablend,
        salonID: salonID,
        time: time,
        phone: "+49 30 1234567",
        key: "a"
    )
    print("booked: \(try booked.required("appointmentTime").string())")

    for appointment in try novablend.call("appointments/list").required("appointments").array() {
        let members = try appointment.object()
        guard try members.required("id").string() == booked.required("id").string() else {
            continue
        }
        print("listed: \(try members.required("appointmentTime").string())")
    }

    do {
        _ = try book(novablend, salonID: salonID, time: time, phone: "+49 30 7654321", key: "b")
    } catch let error as Novablend.CallError {
        // Each error has a name in its data. `retryable` says whether the same call may succeed later.
        guard let data = error.data, try data.required("name").string() == "slotUnavailable" else {
            throw error
        }
        for time in try data.required("alternatives").array() {
            print("still free: \(try time.string())")
        }
    }
}

do {
    let words = Array(CommandLine.arguments.dropFirst())
    let novablend = try Novablend(words.isEmpty ? ["novablend", "serve", "--sandbox"] : words)
    try run(novablend)
    exit(novablend.stop())
} catch {
    fail("\(error)")
}
